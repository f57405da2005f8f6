"""Controllers, references and what keeps them safe. They take models as callables and import none."""
