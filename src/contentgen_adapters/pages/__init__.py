"""Reading pages of the web.

`reader.HttpPageReader` follows redirects and rules (`robots`, `turns`), `fetching` gets bytes within bounds, `content`
makes text of them in a process of its own (`workshop`), since a page can be made to keep any parser busy.
`catalog.open_page_reader` puts them together.
"""
