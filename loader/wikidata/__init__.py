"""What the importers of Wikidata and its subsets share."""
