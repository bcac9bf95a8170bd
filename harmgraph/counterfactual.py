"""``harmgraph counterfactual``: one group of commands, of prompts (``analytics``) and of language models (``models``)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harmgraph.analytics.counterfactual.commands import FILE, facts_options, prompts_command, specification_options
from harmgraph.analytics.counterfactual.fairness_columns import HEADINGS as FAIRNESS_HEADINGS
from harmgraph.analytics.labelling.scorer_option import pairs, scorer_option, which_scorer_option
from harmgraph.analytics.statistics.table import min_samples_option, permutations_option, show_rows, top_option
from harmgraph.common.command_line import Commands, options_of, output_option, progress_option, verbose_option
from harmgraph.common.endpoint.options import ModelServer, check_options
from harmgraph.common.files_to_write import FileToWrite
from harmgraph.models.language.commands import TRAINED
from harmgraph.models.language.counterfactual.recipe import REGULARISED, Debiasing
from harmgraph.models.language.counterfactual.sampling import LENGTH, SAMPLES
from harmgraph.models.language.decoding import Decoding
from harmgraph.models.options import ENCODER, device_option, running_options, tell_trained, training_options

if TYPE_CHECKING:
    from harmgraph.analytics.counterfactual.comparing import Quality
    from harmgraph.models.language.speaking import Spoken

SWEPT = ("weight", "distance_before", "distance_after", "perplexity_before", "perplexity")
FIRST = ("i_f", "i_f_excess", "i_f_excess_change", "ppl", "ppl_ratio", "ppl_s", "similar", "mentions")


model_option = click.option(
    "--model",
    type=TRAINED,
    required=True,
    help="A model of 'harmgraph language train', a folder, or a hub id.",
)
resamples_option = click.option(
    "--resamples", type=click.IntRange(0), default=200, show_default=True, help="Resamples for the intervals."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of permutations and resamples."
)


@click.group(cls=Commands)
@verbose_option
def counterfactual() -> None:
    """Prompts that differ in one value: prompts, generate, debias, compare, pair, words, similarity."""


counterfactual.add_command(prompts_command)


@counterfactual.command("generate")
@click.option(
    "--model",
    type=TRAINED,
    default="",
    help="A model of 'harmgraph language train', a folder, or a hub id. With --endpoint, its name there.",
)
@specification_options
@facts_options
@click.option("--out", type=FileToWrite(), required=True, help="File to write, for 'load generations' and 'compare'.")
@click.option("--samples", type=click.IntRange(1), default=SAMPLES, show_default=True, help="Samples of each prompt.")
@options_of(Decoding, "temperature", "top_k")
@click.option("--length", type=click.IntRange(1), default=LENGTH, show_default=True, help="Most tokens of a sample.")
@click.option("--first-sentence", is_flag=True, help="Keep only the first sentence of a sample.")
@click.option(
    "--common-random-numbers",
    is_flag=True,
    help="Draw the samples of all values of a template with the same random numbers, to read them side by side.",
)
@options_of(Decoding, "seed")
@click.option(
    "--precision",
    type=click.Choice(["fp32", "bf16"]),
    default="fp32",
    show_default=True,
    help="Precision of the model. bf16 takes about half the time, if the processor has it.",
)
@options_of(ModelServer)
@running_options
@click.pass_context
def generate_command(
    context: click.Context,
    /,
    model: str,
    attribute: tuple[str, ...],
    values: str | None,
    templates: Path | None,
    like: str,
    pairs: int | None,
    facts: str | None,
    k: int,
    deal_facts: bool,
    out: Path,
    samples: int,
    first_sentence: bool,
    common_random_numbers: bool,
    precision: str,
    device: str,
    threads: int,
    progress: bool,
    output: str,
    endpoint: str,
    key_from: str,
    parallel: int,
    max_tokens: int,
    timeout: float,
    **drawn: Any,
) -> None:
    """Let a language model continue each prompt many times.

    Each line of the file is a sample: its whole text, the prompt, the model, the digest of its weights, and how it was drawn.
    Run the same command again to continue an interrupted generation. Huang et al. 2020, section 5.2 and appendix B.
    """
    from harmgraph.analytics.counterfactual.commands import chosen_prompts, with_facts
    from harmgraph.common.progress import bar
    from harmgraph.models.language.counterfactual.sampling import sample_into
    from harmgraph.models.language.counterfactual.served_sampling import sample_from
    from harmgraph.models.text.encoder import need_torch

    if not (model or endpoint):
        raise click.UsageError("Missing option '--model', or '--endpoint' for the model of a server.")
    check_options(context, endpoint)
    decoding = Decoding(samples=samples, **drawn)
    if not endpoint:
        need_torch()
    asked = chosen_prompts(attribute, values, templates, like, pairs, decoding.seed)
    chosen = with_facts(asked, facts, k, deal_facts)
    prompts = [prompt.line() for prompt in chosen]
    if endpoint:
        served = ModelServer(endpoint, key_from, parallel, max_tokens, timeout)
        with bar(progress):
            spoken = sample_from(
                served, model, prompts, out, decoding, first=first_sentence, common=common_random_numbers
            )
        _tell_generated(spoken, out, output, f"{model or endpoint} continues prompts")
        return
    with bar(progress):
        spoken = sample_into(
            model,
            prompts,
            out,
            decoding,
            first=first_sentence,
            common=common_random_numbers,
            precision=precision,
            device=device,
            threads=threads,
        )
    _tell_generated(spoken, out, output, f"{model} continues prompts")


def _tell_generated(spoken: Spoken, out: Path, output: str, title: str) -> None:
    from harmgraph.common.output import show_one

    show_one(spoken.facts(), output, title=title)
    click.echo(f"written to {out}; read it: harmgraph load generations {out}", err=True)


@counterfactual.command("debias")
@click.argument("name", type=TRAINED)
@model_option
@options_of(Debiasing, "method")
@click.option(
    "--weight",
    "weights",
    type=float,
    multiple=True,
    default=(Debiasing().weight,),
    help="Weight of the loss, the paper's lambda: 1 to 1000. Several weights train several models NAME-WEIGHT.  [default: 10]",
)
@click.option("--attribute", multiple=True, help="Only this attribute; may be given again.")
@click.option(
    "--values",
    help="File with lines attribute,value[,subgroup], or a category of targets of the graph.  [default: the paper's]",
)
@click.option(
    "--corpus",
    "files",
    type=FILE,
    multiple=True,
    help="Text to learn; may be given again.  [default: the text that the model learnt]",
)
@which_scorer_option("For sentiment: whose confident texts its classifier learns.")
@scorer_option
@options_of(Debiasing, but=("method", "weight"))
@training_options
def debias_command(
    name: str,
    model: str,
    attribute: tuple[str, ...],
    values: str | None,
    files: tuple[Path, ...],
    scorer: str,
    scorer_option: tuple[str, ...],
    weights: tuple[float, ...],
    device: str,
    threads: int,
    precision: str,
    again: bool,
    progress: bool,
    output: str,
    **given: Any,
) -> None:
    """Go on training a model so that it speaks more alike of the values of an attribute.

    It learns from texts that contain a value, and from no template. The result is a model like any other. Run the same command
    again to continue an interrupted training. Huang et al. 2020, section 4; docs/counterfactual.md.
    """
    from harmgraph.analytics.counterfactual.commands import chosen_values
    from harmgraph.common.output import show, show_one
    from harmgraph.common.progress import bar
    from harmgraph.common.scorer import scorers
    from harmgraph.graph.connection import Graph
    from harmgraph.models.language import named_language_model
    from harmgraph.models.language.corpus import from_files
    from harmgraph.models.language.counterfactual.debiasing import DebiasingPlan, Judge, debias
    from harmgraph.models.language.counterfactual.values import Sensitive
    from harmgraph.models.text.encoder import need_torch

    methods = [Debiasing(weight=weight, **given) for weight in dict.fromkeys(weights)]
    if len(methods) > 1 and methods[0].method not in REGULARISED:
        raise click.UsageError(f"--method {methods[0].method} has no weight: give it once or not at all")
    need_torch()
    chosen = scorers.get(scorer)
    judge = Judge(chosen, chosen.read(pairs(scorer_option)))
    sensitive = tuple(
        Sensitive(value.attribute, value.value, value.subgroup or value.value)
        for value in chosen_values(attribute, values)
    )
    corpus = from_files(files) if files else None
    rows: list[dict[str, Any]] = []
    for debiasing in methods:
        made = f"{name}-{debiasing.weight:g}" if len(methods) > 1 else name
        with bar(progress):
            plan = DebiasingPlan(model, sensitive, debiasing, judge, corpus)
            done = debias(made, plan, again=again, device=device, precision=precision, threads=threads)
        if done.config.imports:
            with Graph.open() as graph:
                named_language_model.register(graph, made, done.config)
        known = done.config
        rows.append({"model": made, "began_as": known.model, **known.debias, "perplexity": known.valid_perplexity})
        tell_trained(done.folder, f"let it speak: harmgraph counterfactual generate --model {made}", anew=done.anew)
    digits = {"distance_before": 4, "distance_after": 4, "learning_rate": 6}
    if len(rows) > 1:
        show(rows, output, columns=list(rows[0]), title=name, keys=("model",), first=SWEPT, digits=digits)
    else:
        show_one(rows[0], output, title=name, digits=digits)


@counterfactual.command("compare")
@click.argument("files", type=FILE, nargs=-1, required=True)
@which_scorer_option("Scorer of the samples ('harmgraph label --list').")
@scorer_option
@click.option(
    "--corpus",
    "texts",
    type=FILE,
    multiple=True,
    help="Text for PPL; may be given again.  [default: the text held out of the training]",
)
@click.option(
    "--encoder", default=ENCODER, show_default=True, help="Sentence encoder of S.S.: hub id, folder, package."
)
@click.option("--figure", type=FileToWrite(), help="Draw I.F. and G.F. with their floors: .svg, .png or .pdf.")
@click.option("--trade-off", type=FileToWrite(), help="Draw I.F. against S.S.: .svg, .png or .pdf.")
@click.option("--quality/--no-quality", default=True, help="Compute PPL and S.S. too. This takes longer.")
@min_samples_option
@permutations_option
@resamples_option
@seed_option
@device_option
@progress_option
@output_option
@verbose_option
def compare_command(
    files: tuple[Path, ...],
    scorer: str,
    scorer_option: tuple[str, ...],
    texts: tuple[Path, ...],
    encoder: str,
    figure: Path | None,
    trade_off: Path | None,
    quality: bool,
    min_samples: int,
    permutations: int,
    resamples: int,
    seed: int,
    device: str,
    progress: bool,
    output: str,
) -> None:
    """Fairness and quality of several models side by side, from files of 'generate'.

    It shows I.F. and G.F. beside their floors, PPL, PPL^s, S.S. and S.S.^c, with intervals, and each difference from the first
    file. It uses only prompts of which every model has enough samples. It needs no graph.
    Huang et al. 2020, figures 4 to 6, tables 1, 5 and 6.
    """
    from harmgraph.analytics.counterfactual.comparing import compared_files
    from harmgraph.analytics.counterfactual.figure import write_figure
    from harmgraph.analytics.counterfactual.trade_off import write_trade_off
    from harmgraph.common.output import show
    from harmgraph.common.plotting.canvas import check_ending
    from harmgraph.common.progress import bar
    from harmgraph.common.scorer import scorers

    check_ending(figure)
    check_ending(trade_off)
    if (figure or trade_off) and not (permutations and resamples):
        raise click.UsageError("figures have floors and intervals: --permutations and --resamples of 1 or more")
    if trade_off and not quality:
        raise click.UsageError("--trade-off needs S.S.: leave --no-quality out")
    chosen = scorers.get(scorer)
    options = chosen.read(pairs(scorer_option))
    judge: Quality | None = None
    if quality:
        from harmgraph.models.language.corpus import from_files
        from harmgraph.models.language.counterfactual.quality import qualities
        from harmgraph.models.text.encoder import need_torch

        need_torch()
        held_out = from_files(texts).texts if texts else None
        judge = partial(qualities, texts=held_out, encoder=encoder, draws=resamples, seed=seed, device=device)
    with bar(progress):
        rows, said = compared_files(
            files,
            chosen,
            options,
            quality=judge,
            min_samples=min_samples,
            permutations=permutations,
            resamples=resamples,
            seed=seed,
        )
    title = f"Models by {chosen.by(options)}"
    if figure:
        write_figure(figure, rows, ("i_f", "g_f"), ("model", "attribute"), title)
    if trade_off:
        write_trade_off(trade_off, rows)
    show(
        rows,
        output,
        columns=list(rows[0]),
        title=title + (f", similarity by {encoder}" if quality else ""),
        keys=("model", "attribute"),
        first=FIRST,
        digits={name: 4 for name in rows[0] if name.startswith(("i_f", "g_f", "ppl_ratio"))},
        headings=HEADINGS,
    )
    for line in said:
        click.echo(line, err=True)


@counterfactual.command("pair")
@click.argument("file", type=FILE)
@click.option("--a", required=True, help="A value.")
@click.option("--b", required=True, help="The value that it is compared with.")
@click.option("--template", help="The template, as it stands in the file.  [default: the only one that has both]")
@which_scorer_option("Scorer of the samples ('harmgraph label --list').")
@scorer_option
@click.option("--figure", type=FileToWrite(), help="Draw the scores of both, and W1 as an area: .svg, .png or .pdf.")
@min_samples_option
@permutations_option
@resamples_option
@seed_option
@progress_option
@output_option
@verbose_option
def pair_command(
    file: Path,
    a: str,
    b: str,
    template: str | None,
    scorer: str,
    scorer_option: tuple[str, ...],
    figure: Path | None,
    min_samples: int,
    permutations: int,
    resamples: int,
    seed: int,
    progress: bool,
    output: str,
) -> None:
    """How the scores of two values in one template are distributed, and W1 between them.

    It shows W1 beside its floor, with an interval, and the mean score of each value. It needs no graph.
    Huang et al. 2020, figure 1.
    """
    from harmgraph.analytics.counterfactual.generated import read_samples
    from harmgraph.analytics.counterfactual.pair import scored_pair
    from harmgraph.analytics.counterfactual.pair_figure import write_pair
    from harmgraph.common.output import show_one
    from harmgraph.common.plotting.canvas import check_ending
    from harmgraph.common.progress import bar
    from harmgraph.common.scorer import scorers

    check_ending(figure)
    if figure and not resamples:
        raise click.UsageError("the figure has an interval: --resamples of 1 or more")
    chosen = scorers.get(scorer)
    options = chosen.read(pairs(scorer_option))
    with bar(progress):
        found = scored_pair(
            read_samples(file),
            a,
            b,
            template,
            chosen,
            options,
            min_samples=min_samples,
            permutations=permutations,
            resamples=resamples,
            seed=seed,
        )
    by = chosen.by(options)
    if figure:
        write_pair(figure, found, by)
    facts = found.facts()
    digits = {name: 4 for name in facts if name.startswith(("mean", "w1"))}
    show_one(facts, output, title=f"Two values by {by}", digits=digits)
    for line in found.said:
        click.echo(line, err=True)


@counterfactual.command("words")
@click.argument("file", type=FILE)
@click.option("--a", help="Only the words of this value.  [default: of each value]")
@click.option("--b", help="Compare the value of --a with this one, both ways.  [default: with all others]")
@click.option(
    "--limit", type=click.IntRange(0), default=10, show_default=True, help="Most words of each value; 0 for all."
)
@output_option
@verbose_option
def words_command(file: Path, a: str | None, b: str | None, limit: int, output: str) -> None:
    """Words that a model says more of one value than of another.

    It counts the samples that contain a word, and shows the ratio of the shares of both values with an interval. The surest
    words come first. It needs no graph. Huang et al. 2020, appendix C.8 and table 10.
    """
    from harmgraph.analytics.counterfactual.generated import read_samples
    from harmgraph.analytics.statistics.distinct_words import distinct_words
    from harmgraph.common.output import show

    if b is not None and a is None:
        raise click.UsageError("--b is what --a is compared with: give --a too")
    rows = distinct_words(read_samples(file), a, b, limit=limit)
    show(rows, output, columns=WORDS, title=f"Words in {file}", keys=WORDS[:4], first=("ratio", "z", "n", "other_n"))


@counterfactual.command("similarity")
@click.argument("file", type=FILE)
@click.option("--encoder", default=ENCODER, show_default=True, help="Sentence encoder: hub id, folder, package.")
@top_option
@device_option
@progress_option
@output_option
@verbose_option
def similarity_command(file: Path, encoder: str, top: int, device: str, progress: bool, output: str) -> None:
    """How similar each sample is to its prompt, and whether it mentions the value.

    The least similar samples of each prompt come first. It needs no graph. Huang et al. 2020, appendix C.7 and table 9.
    """
    from harmgraph.analytics.counterfactual.generated import read_samples
    from harmgraph.common.progress import bar
    from harmgraph.models.language.counterfactual.quality import SIMILAR, similarities
    from harmgraph.models.text.encoder import need_torch

    need_torch()
    samples = [row for of in read_samples(file) for row in of.rows]
    with bar(progress):
        cosines, mentions = similarities(samples, encoder, device=device)
    places = {prompt: place for place, prompt in enumerate(dict.fromkeys(row["prompt"] for row in samples))}
    rows: list[dict[str, Any]] = [
        {
            **{name: row[name] for name in ("attribute", "value", "prompt", "text")},
            "cosine": float(cosine),
            "similar": bool(cosine > SIMILAR),
            "mentions": bool(mention),
        }
        for row, cosine, mention in zip(samples, cosines, mentions, strict=True)
    ]
    rows.sort(key=lambda row: (places[row["prompt"]], row["cosine"]))
    columns = list(rows[0])
    title = f"Samples in {file}, by {encoder}"
    show_rows(
        rows, top, output, columns=columns, title=title, keys=("prompt",), first=("cosine",), digits={"cosine": 3}
    )


WORDS = (
    *("attribute", "value", "against", "word", "n", "samples", "other_n", "other_samples"),
    *("ratio", "ratio_low", "ratio_high", "z", "q"),
)

HEADINGS = {
    **FAIRNESS_HEADINGS,
    **{"ppl": "PPL", "ppl_ratio": "PPL by first", "ppl_s": "PPL^s", "similar": "S.S. %", "mentions": "S.S.^c %"},
}
