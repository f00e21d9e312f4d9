articles-search = Words
articles-status = State
articles-niche = Niche
articles-all = All
articles-show = Show
articles-count = { $count ->
    [one] One article
   *[other] { $count } articles
}
articles-pages = Pages
articles-newer = Newer
articles-older = Older
articles-page = Page { $page } of { $pages }
articles-writing = { $percent } % written
articles-progress = Progress of the writing
articles-failed = The article could not be written.
articles-reload = Load this page again
articles-words = { $count ->
    [one] one word
   *[other] { $count } words
}
articles-edit = Edit the text
articles-supported = { $share } of { $count } sentences are supported by their source.
articles-passages = The passages that the sentences rest on
articles-sentence = Sentence { $number }
articles-no-passage = No passage is cited.
articles-missing-facts = Not in the passage: { $facts }
articles-posts = Published at
articles-text = Text
articles-text-hint = Markdown. Citations such as [1] lead to the sources; sentences that you change are checked again.
articles-save = Save
articles-cancel = Cancel
articles-edit-overtaken = Somebody else saved this article while you were editing. Your text is kept below; theirs stands under it. Bring them together, then save.
articles-theirs = The text as it is now
grounding-full = Fully grounded.
grounding-partial = Grounded in part.
grounding-none = Written without sources.
verdict-supported = supported
verdict-unsupported = not supported
verdict-outOfContext = out of context
verdict-unsourced = without a source
