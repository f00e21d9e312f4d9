nav-knowledge-documents = Documents
knowledge-add = Add a document
knowledge-words-of-title = Words of the title
knowledge-title = Title
knowledge-private = Your documents
knowledge-origin = Origin
knowledge-origin-import = imported
knowledge-origin-web = found on the web
knowledge-origin-ai = written by a model
knowledge-origin-document = added by your team
knowledge-language = Language
knowledge-age = Age
knowledge-state = State
knowledge-state-processing = being read
knowledge-state-ready = searchable
knowledge-state-failed = not readable
knowledge-state-revised = changed { $when }
knowledge-passages-count = Passages
knowledge-count = { $count ->
    [one] One document
   *[other] { $count } documents
}
knowledge-count-more = More than { $count } documents. Search for words, or choose an origin or a language, to see the others.
knowledge-none = No document is like this.
knowledge-preparing = On its way into the knowledge base
knowledge-being-read = { $count ->
    [one] One document is being read.
   *[other] { $count } documents are being read.
}
knowledge-not-read = { $count ->
    [one] One document could not be read:
   *[other] { $count } documents could not be read:
}
knowledge-all-read = All documents are read.
knowledge-show-documents = Show them
knowledge-about = About this document
knowledge-belongs-to = Belongs to
knowledge-yours = your team
knowledge-everybodys = everybody in this niche
knowledge-author = Author
knowledge-published = Published
knowledge-fetched = Fetched
knowledge-since = Added
knowledge-revised = Last changed
knowledge-address = Address
knowledge-file = File
knowledge-size = Size
knowledge-kilobytes = { $size } KB
knowledge-words = Words
knowledge-articles = Articles that rest on it
knowledge-no-articles = No article cites this document.
knowledge-versions = Versions
knowledge-version-now = As it is since { $since }
knowledge-version = { $since } to { $until }
knowledge-former-text = This is what it said from { $since } to { $until }.
knowledge-text = Text
knowledge-passages-shown = Passages { $first } to { $last } of { $total }
knowledge-before = Before
knowledge-after = After
knowledge-delete = Delete
knowledge-delete-title = Delete this document?
knowledge-delete-text = No search finds it any more, and no article is written from it. This cannot be undone.
knowledge-delete-articles = { $count ->
    [one] This article rests on it. It keeps its text and what it cites:
   *[other] These { $count } articles rest on it. They keep their text and what they cite:
}
knowledge-add-files = Files
knowledge-choose-files = Choose files, or drop them here
knowledge-file-hint = { $types }; less than { $most } MB each.
knowledge-send-files = Add the files
knowledge-sending = is being sent
knowledge-lost = The service does not answer. The file was not added: drop it again in a moment.
knowledge-file-added = was added and is being read.
knowledge-file-fault = { $name }: { $fault }
knowledge-empty-file = This file is empty.
knowledge-no-file = Choose a file first.
knowledge-too-many-files = At most { $most } files at once. Send the others afterwards.
knowledge-too-large = This has { $size } MB, and the console takes less than { $most } MB. Split it, or send it by the API, which takes up to { $api } MB.
knowledge-request-too-large = This is more than { $most } MB in all, and nothing of it was added. Send fewer files at once, or smaller parts.
knowledge-add-address = A page of the web
knowledge-address-hint = The page, or the PDF, at this address is read once.
knowledge-add-page = Add the page
knowledge-add-text = A text
knowledge-text-hint = Plain text or Markdown, less than { $most } MB.
knowledge-no-text = There is no text yet.
note-documents-added = Added. It is being read, and can be searched in a moment.
note-document-deleted = The document is deleted.
knowledge-there-already = This is there already; nothing was added a second time.

nav-knowledge-sources = Sources
knowledge-add-source = Follow a source
knowledge-choose-kind = What is there is read, and followed when it changes.
knowledge-no-sources = No source is followed yet. A site, a feed or a folder that is followed keeps its documents up to date by itself.
knowledge-syncing = being synced
knowledge-paused = paused
knowledge-following = followed
knowledge-every = { $hours ->
    [1] every hour
    [24] every day
    [168] every week
   *[other] every { $hours } hours
}
knowledge-last-sync = last sync { $when }
knowledge-next-sync = next one { $when }
knowledge-last-sync-title = The last sync
knowledge-never-synced = It was not synced yet.
knowledge-sync-counts = { $listed } listed: { $added } added, { $changed } changed, { $unchanged } as they were, { $missing } missing, { $removed } removed.
knowledge-sync-skipped = Skipped:
knowledge-outcome-done = Done.
knowledge-outcome-partial = There was more to read than one sync reads; the next one goes on in five minutes.
knowledge-outcome-cut = There are more items than are followed; the others are left out.
knowledge-outcome-doubtful = Few of the known items are there, or pages show an error page. Nothing was removed, and these pages stay as they were until that ends, or you accept it.
knowledge-outcome-failed = It could not be read.
knowledge-skip-empty = without text
knowledge-skip-titleOnly = no more than a title
knowledge-skip-scan = pictures of pages, a scan
knowledge-skip-gluedWords = words without spaces
knowledge-skip-unsupported = a kind of file that is not read
knowledge-skip-tooLarge = too large
knowledge-skip-unreadable = not readable
knowledge-skip-refused = refused by its server
knowledge-skip-duplicate = there already, under another name
knowledge-skip-gone = listed, but not there
knowledge-skip-waiting = left for the next sync
knowledge-skip-notFollowed = not followed: of another site, a link, hidden, or with too long a name
knowledge-skip-doubtful = an error page, what other pages show as well, or gone with most of its site: left as it was
knowledge-skipped-examples = Some of what was skipped
knowledge-item = Item
knowledge-items = Items
knowledge-item-stored = in the knowledge base
knowledge-item-skipped = skipped
knowledge-item-missing = no longer listed
knowledge-no-items = There is none.
knowledge-reason = Reason
knowledge-sync-now = Sync now
knowledge-doubtful = doubtful
knowledge-accept = Accept what it says now
knowledge-accept-hint = The next sync then takes over what the source says. What it does not list any more, or what shows its site’s error page, goes missing. Look at its pages first.
knowledge-pause = Pause
knowledge-resume = Follow again
knowledge-change = Change
knowledge-about-source = About this source
knowledge-kind = Kind
knowledge-place = Place
knowledge-name = Name
knowledge-grace = What is no longer there stays for
knowledge-days = { $count ->
    [one] one day
   *[other] { $count } days
}
knowledge-secrets = Secrets
knowledge-secrets-kept = { $names }: kept sealed, and never shown
knowledge-not-kept = Nothing was saved yet. What has to be changed stands at its field.
knowledge-every-hours = Hours between two syncs
knowledge-grace-days = Days that missing items stay
knowledge-grace-hint = With 0 they go at once.
knowledge-follow = Follow it
knowledge-delete-source-title = Delete this source?
knowledge-delete-source-text = The documents that came from it go with it. Articles keep their text and what they cite. This cannot be undone; to stop following it and keep the documents, pause it instead.
note-syncing = The sync has begun.
note-source-accepted = What the source says now is taken over. The sync has begun.
note-source-paused = The source is paused. Its documents stay.
note-source-resumed = The source is followed again.
note-source-added = The source is followed. Its first sync has begun.
note-source-changed = The source is changed.
note-source-deleted = The source and its documents are deleted.

nav-knowledge-passages = Passages
knowledge-question = Words or a question
knowledge-question-hint = Passages are found by their words and by their meaning.
knowledge-search = Search
knowledge-found = { $count ->
    [one] One passage, with what it was found by.
   *[other] { $count } passages, the best first, with what each was found by.
}
knowledge-marks = Your words are marked; the nearest sentence is underlined.
knowledge-found-nothing = Nothing was found. Try other words, or all niches and languages.
knowledge-found-by-words = Found by its words
knowledge-found-by-meaning = Found by its meaning
knowledge-found-by-both = Found by its words and by its meaning
knowledge-words-found = { $count ->
    [0] none of your words in the text
    [one] one of your words
   *[other] { $count } times one of your words
}
knowledge-relevance = Relevance
knowledge-meaning = Share of meaning

nav-knowledge-conflicts = Conflicts
knowledge-conflict-open = waits for a decision
knowledge-conflict-decided = decided
knowledge-conflict-outdated = outdated
knowledge-searching = being searched
knowledge-searched = The last search looked at { $passages } new or changed passages, compared { $compared } pairs, and found { $found } conflicts,
knowledge-search-waiting = { $count } passages wait to be compared.
knowledge-show-conflicts = Show what was found
knowledge-search-conflicts = Search for conflicts now
knowledge-differs-figure = The figures differ
knowledge-differs-date = The dates differ
knowledge-differs-name = The names differ
knowledge-differs-negation = One denies what the other says
knowledge-differs-contrary = They point in opposite directions
knowledge-side-one = One side
knowledge-side-other = The other side
knowledge-side-unused = No article rests on this sentence.
knowledge-newer = newer
knowledge-more-independent = more independent documents
knowledge-preferred = preferred
knowledge-independent = { $count ->
    [0] said by a model alone
    [one] one independent document
   *[other] { $count } independent documents
}
knowledge-decide = What holds
knowledge-decide-now = Decide
knowledge-decision-one = The one side: articles are no longer written from the other
knowledge-decision-other = The other side: articles are no longer written from the one
knowledge-decision-both = Both, each where it applies
knowledge-decision-dismiss = This is no conflict
knowledge-decided-prefer = Decided { $when }: one side is preferred.
knowledge-decided-both = Decided { $when }: both hold.
knowledge-decided-dismiss = Decided { $when }: it is no conflict.
knowledge-no-conflicts = There are none like this.
knowledge-never-searched = This knowledge base was not searched for conflicts yet. From the first search on it is searched again by itself whenever it changes.
note-conflicts-searched = The search has begun.
note-decided = Decided. What is written from now on follows it.
error-nothing-doubtful = The last sync was not doubtful, so there is nothing to accept.
error-conflict-outdated = One of the sentences is no longer there, so there is nothing to decide.

nav-knowledge-enrich = Enrich
knowledge-enrich-hint = The web is searched for a topic, and what the pages say about it comes into the knowledge base of the agent's niche.
knowledge-enrich-now = Search the web
knowledge-enrich-again = Try it again
knowledge-rejected = This topic does not belong to the niche: { $reason }
knowledge-progress = Progress
knowledge-enrichment-pending = It is about to begin.
knowledge-enrichment-queued = It has begun.
knowledge-enrichment-searching = The web is being searched.
knowledge-enrichment-fetching = The pages are being read.
knowledge-enrichment-processing = Their texts are being taken apart.
knowledge-enrichment-indexing = The passages come into the knowledge base.
knowledge-enrichment-enriching = What they say is being looked through.
knowledge-enrichment-ready = There is enough to write from; the rest follows.
knowledge-enrichment-completed = Done.
knowledge-enrichment-failed = It did not work. It is not counted against your plan.
knowledge-insights = { $count ->
    [one] One passage
   *[other] { $count } passages
} on the topic came into the knowledge base, from { $documents ->
    [one] one document.
   *[other] { $documents } documents.
}
note-enriching = The enrichment has begun. You can leave this page; it goes on.

nav-knowledge-entities = Entities
knowledge-entities-shown = Entities shown
knowledge-no-entities = This knowledge base names nobody and nothing yet.
knowledge-graph-hint = What the texts name, the strongest first. Names that are joined stand in passages together more often than by chance; those of one colour form a group.
knowledge-graph-title = { $nodes } entities and { $edges } connections between them
knowledge-graph-text = Circles are larger the more often something is named. Dashed lines join what is near in meaning alone. The list beside says the same in words.
knowledge-closer = Closer
knowledge-farther = Farther
knowledge-whole = The whole picture
knowledge-group-closer = Show this group larger
knowledge-entity-list = The entities as a list
knowledge-alone = By themselves
knowledge-mentions = { $count ->
    [one] named once
   *[other] named { $count } times
} in { $documents ->
    [one] one document
   *[other] { $documents } documents
}
knowledge-with = with { $names }
knowledge-entity-person = person
knowledge-entity-organisation = organisation
knowledge-entity-place = place
knowledge-entity-product = product
knowledge-entity-law = law
knowledge-entity-concept = concept

nav-knowledge-topics = Topics
knowledge-topics-under-way = The topics are being computed.
knowledge-topics-failed = The topics could not be computed; below are those of the run before.
knowledge-topics-done = The topics are computed.
knowledge-show-topics = Show them
knowledge-topics-computed = Computed { $when }
knowledge-compute-topics = Compute them anew
knowledge-topics-share = Topics covered
knowledge-topics-covered = Enough for an article
knowledge-topics-rich = More than enough for an article
knowledge-topics-thin = Something, and not enough
knowledge-topics-missing = Little or nothing
knowledge-heat = How much there is on it, of 100
knowledge-topics-table = All topics as a table
knowledge-no-topics = No topic is known yet. Topics come from the niche's keywords, its articles and its knowledge base.
note-topics-computed = The computation has begun.
