"""Update rules: a parameter and what is remembered of it, one step on."""
