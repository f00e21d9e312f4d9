"""Protection of calls to addresses that users entered or a search found (server-side request forgery).

Such calls (pages, documents by URL, publishing to a user's server) use `shared.guarded_client`, never
`shared.http.make_client`, which is for the operator's own providers. A guarded client raises `errors.AddressRefused`
for addresses in private networks: on every request, and so on every redirect that a caller follows.
"""
