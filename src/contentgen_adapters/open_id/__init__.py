"""Signing in through providers of OpenID Connect."""
