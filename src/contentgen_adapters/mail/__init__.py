"""Mail: address validation, tokens of links, and mailers."""
