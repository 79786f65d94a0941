"""How alerts are put into words and sent out."""
