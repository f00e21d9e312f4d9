"""Mail to people: addresses, links of invitations, and who sends."""
