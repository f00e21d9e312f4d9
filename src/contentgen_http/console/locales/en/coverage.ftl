coverage-topic = Topic
coverage-placeholder = Choosing a heat pump for an older house
coverage-agent = Agent
coverage-length = Length
coverage-from = Write from
coverage-from-all = the niche and our own documents
coverage-from-niche = the niche alone
coverage-check = Check the coverage
coverage-remaining = { $count ->
    [one] One check is left today.
   *[other] { $count } checks are left today.
}
coverage-score = Score
coverage-rests = { $documents ->
    [one] It rests on one independent document
   *[other] It rests on { $documents } independent documents
} with { $passages ->
    [one] one passage on the topic.
   *[other] { $passages } passages on the topic.
}
coverage-age = Their documents are from { $oldest } to { $newest }.
coverage-year = Their documents are from { $year }.
coverage-provisional = Documents are still being read: this result may change. Check again in a few minutes.
coverage-missing = No source is on: { $words }
coverage-language = Language of the article
coverage-plan = Plan the article
coverage-plan-anyway = Plan it all the same
coverage-enrich = Enrich from the web
coverage-forecast = Words the sources carry
coverage-words = { $words } of { $target }
coverage-terms = Where the words of the topic stand
coverage-word = Word
coverage-documents = Documents
coverage-titles = The best of them
coverage-alternatives = Covered topics nearby
coverage-passages = The best passage of each document
coverage-relevance = { $share } relevant
coverage-no-passages = The knowledge base has nothing on this.
similar-title = Your articles that already answer this
suggestion-update = update it
suggestion-merge = merge them
suggestion-translate = translate it
suggestion-differentiate = set apart
similar-update = It answers the same: bring it up to date instead of writing a second one.
similar-merge = Two of your articles answer the same: make one of them.
similar-translate = It answers the same in another language: translate it.
similar-differentiate = It answers a part of this: say something else, or the rest.
similar-sections = Its sections on the topic: { $headings }.
similar-cites = It cites { $shared } of { $all } passages on the topic.
similar-since = { $count ->
    [one] One of the others is newer than it.
   *[other] { $count } of the others are newer than it.
}
similar-adds = It does not cite: { $titles }.
similar-go-update = See what its sources say now
similar-go-translate = To its translations
similar-go-merge = To the other one
similar-go-plan = To its plan
similar-changed = Its sources changed since.
