"""What is drawn for a training that tries things out."""

from __future__ import annotations

from harmgraph.models.drawn import OVER, drawn
from harmgraph.models.language.corpus import Corpus, Text
from harmgraph.models.language.frames.posts import Post, Posts


def test_a_hash_draws_the_same_texts_in_their_order() -> None:
    texts = [f"text {number}" for number in range(100)]
    few = drawn(texts, 10, str)
    assert len(few) == 10
    assert list(few) == sorted(few, key=texts.index)
    assert set(few) < set(drawn(texts, 20, str)) == set(drawn(texts[::-1], 20, str))
    assert drawn(texts, 0, str) == drawn(texts, 100, str) == tuple(texts)


def test_what_a_limit_leaves_out_is_counted_and_both_parts_remain() -> None:
    texts = tuple(Text(f"text {number}") for number in range(200))
    corpus = Corpus("file", texts, "line", left_out={"empty": 3}).limited(50)
    assert corpus.left_out == {"empty": 3, OVER: 150}
    learnt, held_out = corpus.parts(0.2)
    assert len(learnt) + len(held_out) == 50
    assert learnt, "the hash that draws is another than the one that holds out"
    assert held_out
    posts = Posts("file", tuple(Post(f"post {number}", ()) for number in range(200))).limited(50)
    assert posts.left_out == {OVER: 150}
    assert {post.part() for post in posts.posts} == {post.part() for post in posts.posts} & {"train", "valid", "test"}
    assert Corpus("file", texts, "line").limited(0).texts == texts
