"""Calls to addresses that somebody entered or a search found.

Whoever calls such an address (pages, documents by URL, publishing to a user's server) uses `client.guarded_client`,
never `http.make_client`, which is for the operator's own providers. A guarded client refuses whatever leads into a
private network with `errors.AddressRefused`: on every request, and so on every redirect that a caller follows.
"""
