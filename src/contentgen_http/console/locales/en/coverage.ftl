coverage-topic = Topic
coverage-placeholder = Choosing a heat pump for an older house
coverage-agent = Agent
coverage-length = Length
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
coverage-age = They were read between { $oldest } and { $newest }.
coverage-missing = No source has: { $words }
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
