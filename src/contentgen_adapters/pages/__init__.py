"""Reading pages of the web.

`reader.HttpPageReader` follows redirects and rules (`robots`, `host_throttle`), `fetching` gets bytes within bounds,
`content` makes text of them in a process of its own (`shared.processes`), since a page can keep any parser busy.
`catalog.open_page_reader` puts them together.
"""
