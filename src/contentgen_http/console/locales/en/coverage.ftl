coverage-topic = Topic
coverage-placeholder = Choosing a heat pump for an older house
coverage-agent = Agent
coverage-length = Length
coverage-from = Sources to use
coverage-from-all = Niche and our own documents
coverage-from-niche = Niche only
coverage-check = Check the coverage
coverage-remaining = { $count ->
    [one] One check is left today.
   *[other] { $count } checks are left today.
}
coverage-score = Score
coverage-rests = { $documents ->
    [one] The score is based on one independent document
   *[other] The score is based on { $documents } independent documents
} with { $passages ->
    [one] one passage on the topic.
   *[other] { $passages } passages on the topic.
}
coverage-age = Their documents date from { $oldest } to { $newest }.
coverage-year = Their documents date from { $year }.
coverage-provisional = Documents are still being read: this result may change. Check again in a few minutes.
coverage-missing = No source covers: { $words }
coverage-language = Language of the article
coverage-plan = Plan the article
coverage-plan-anyway = Plan the article anyway
coverage-enrich = Enrich from the web
coverage-forecast = Possible length
coverage-words = { $words } of { $target } words
coverage-terms = Topic coverage by word
coverage-word = Word
coverage-documents = Documents
coverage-titles = Best documents
coverage-alternatives = Related topics that are covered
coverage-passages = Best passage of each document
coverage-relevance = { $share } relevant
coverage-no-passages = The knowledge base contains nothing on this.
similar-title = Your articles that already answer this
suggestion-update = update it
suggestion-merge = merge them
suggestion-translate = translate it
suggestion-differentiate = write on another aspect
similar-update = This article answers the same question: update it instead of writing a second one.
similar-merge = Two of your articles answer the same question: merge them.
similar-translate = This article answers the question in another language: translate it.
similar-differentiate = This article answers part of the question: write about the rest.
similar-sections = Sections on the topic: { $headings }.
similar-cites = It cites { $shared } of the { $all } passages on the topic.
similar-since = { $count ->
    [one] One of the others is newer than it.
   *[other] { $count } of the others are newer than it.
}
similar-adds = It does not cite: { $titles }.
similar-go-update = Check it against its sources
similar-go-translate = Go to its translations
similar-go-merge = Go to the other article
similar-go-plan = Go to its plan
similar-changed = Its sources have changed since.
