"""The one definition of an operator: signature, keywords, errors, file form."""
