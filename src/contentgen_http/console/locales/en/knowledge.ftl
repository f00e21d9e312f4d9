nav-knowledge-documents = Documents
knowledge-add = Add a document
knowledge-words-of-title = Words in the title
knowledge-title = Title
knowledge-private = Your documents
knowledge-origin = Origin
knowledge-origin-import = imported
knowledge-origin-web = found on the web
knowledge-origin-ai = written by a model
knowledge-origin-document = added by your team
knowledge-language = Language
knowledge-age = Date
knowledge-state = Status
knowledge-state-processing = being read
knowledge-state-ready = searchable
knowledge-state-failed = unreadable
knowledge-state-revised = changed { $when }
knowledge-passages-count = Passages
knowledge-count = { $count ->
    [one] One document
   *[other] { $count } documents
}
knowledge-count-more = More than { $count } documents. Search for words, or choose an origin or a language, to see the others.
knowledge-none = No documents match.
knowledge-preparing = Being added to the knowledge base
knowledge-being-read = { $count ->
    [one] One document is being read.
   *[other] { $count } documents are being read.
}
knowledge-not-read = { $count ->
    [one] One document could not be read:
   *[other] { $count } documents could not be read:
}
knowledge-all-read = All documents have been read.
knowledge-show-documents = Show the documents
knowledge-about = About this document
knowledge-belongs-to = Belongs to
knowledge-yours = your team
knowledge-everybodys = everyone who uses this niche
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
knowledge-articles = Articles that cite it
knowledge-no-articles = No article cites this document.
knowledge-versions = Versions
knowledge-version-now = Current version, since { $since }
knowledge-version = { $since } to { $until }
knowledge-former-text = This is the text from { $since } to { $until }.
knowledge-text = Text
knowledge-passages-shown = Passages { $first } to { $last } of { $total }
knowledge-before = Previous
knowledge-after = Next
knowledge-delete = Delete
knowledge-delete-title = Delete this document?
knowledge-delete-text = It will no longer be found or used for articles. This cannot be undone.
knowledge-delete-articles = { $count ->
    [one] This article cites it, and keeps its text and citations:
   *[other] These { $count } articles cite it, and keep their text and citations:
}
knowledge-add-files = Files
knowledge-choose-files = Choose files, or drop them here
knowledge-file-hint = { $types }; less than { $most } MB each.
knowledge-send-files = Add the files
knowledge-sending = is being sent
knowledge-lost = The service is not answering. The file was not added: drop it again in a moment.
knowledge-file-added = was added and is being read.
knowledge-file-fault = { $name }: { $fault }
knowledge-empty-file = This file is empty.
knowledge-no-file = Choose a file first.
knowledge-too-many-files = At most { $most } files at once. Send the others afterwards.
knowledge-too-large = The file has { $size } MB; the console accepts less than { $most } MB. Split it, or send it through the API, which accepts up to { $api } MB.
knowledge-request-too-large = The files have more than { $most } MB in all, and none was added. Send fewer at once, or smaller parts.
knowledge-add-address = Web page
knowledge-address-hint = The page or PDF at this address is read once.
knowledge-add-page = Add the page
knowledge-add-text = Text
knowledge-text-hint = Plain text or Markdown, less than { $most } MB.
knowledge-no-text = Enter a text.
note-documents-added = Added. Documents can be searched once they have been read.
note-document-deleted = The document is deleted.
knowledge-there-already = This document already exists; nothing was added.

nav-knowledge-sources = Sources
knowledge-add-source = Follow a source
knowledge-choose-kind = Its contents are imported, and imported again whenever they change.
knowledge-no-sources = No source is followed yet. When you follow a site, a feed or a folder, its documents stay up to date by themselves.
knowledge-syncing = sync in progress
knowledge-paused = paused
knowledge-following = followed
knowledge-every = { $unit ->
    [days] { $count ->
        [one] every day
        [7] every week
       *[other] every { $count } days
    }
   *[hours] { $count ->
        [one] every hour
       *[other] every { $count } hours
    }
}
knowledge-last-sync = last sync { $when }
knowledge-next-sync = next one { $when }
knowledge-last-sync-title = Last sync
knowledge-never-synced = Not synced yet.
knowledge-sync-counts = { $listed } items: { $added } added, { $changed } changed, { $unchanged } unchanged, { $missing } missing, { $removed } removed.
knowledge-sync-skipped = Skipped:
knowledge-outcome-done = Done.
knowledge-outcome-partial = There was more to read than one sync can read; the next one continues in five minutes.
knowledge-outcome-cut = The source has more items than can be followed; the rest is left out.
knowledge-outcome-doubtful = Most known items are gone, or pages show an error page. Nothing was removed or changed: everything stays as it was until the source recovers or you accept its current state.
knowledge-outcome-failed = The source could not be read.
knowledge-skip-empty = without text
knowledge-skip-titleOnly = only a title
knowledge-skip-scan = scanned pages without text
knowledge-skip-gluedWords = words without spaces
knowledge-skip-unsupported = unsupported file type
knowledge-skip-tooLarge = too large
knowledge-skip-unreadable = unreadable
knowledge-skip-refused = refused by its server
knowledge-skip-duplicate = same text as another document
knowledge-skip-gone = listed but not found
knowledge-skip-waiting = left for the next sync
knowledge-skip-notFollowed = not followed: another site, a link, a hidden file or too long a name
knowledge-skip-doubtful = error page, same text as other pages, or gone with most of its site: kept as it was
knowledge-skipped-examples = Examples of skipped items
knowledge-item = Item
knowledge-items = Items
knowledge-item-stored = in the knowledge base
knowledge-item-skipped = skipped
knowledge-item-missing = no longer listed
knowledge-no-items = No items.
knowledge-reason = Reason
knowledge-sync-now = Sync now
knowledge-doubtful = doubtful
knowledge-accept = Accept the current state
knowledge-accept-hint = The next sync takes over what the source says now. Items that it no longer lists, or that show its site’s error page, become missing. Check its pages first.
knowledge-pause = Pause
knowledge-resume = Resume
knowledge-change = Edit
knowledge-about-source = About this source
knowledge-kind = Type
knowledge-place = Location
knowledge-name = Name
knowledge-grace = Missing items are kept for
knowledge-days = { $count ->
    [one] one day
   *[other] { $count } days
}
knowledge-secrets = Secrets
knowledge-secrets-kept = { $names }: stored encrypted and never shown
knowledge-not-kept = Nothing was saved yet. Correct the marked fields.
knowledge-every-hours = Hours between two syncs
knowledge-grace-days = Days before a missing item is removed
knowledge-grace-hint = With 0 it is removed at once.
knowledge-follow = Follow this source
knowledge-delete-source-title = Delete this source?
knowledge-delete-source-text = Its documents are deleted too. Articles keep their text and citations. This cannot be undone; to stop following the source and keep its documents, pause it instead.
note-syncing = The sync has started.
note-source-accepted = The current state of the source is being taken over. The sync has started.
note-source-paused = The source is paused. Its documents are kept.
note-source-resumed = The source is followed again.
note-source-added = The source is followed. Its first sync has started.
note-source-changed = The source is updated.
note-source-deleted = The source and its documents are deleted.

nav-knowledge-passages = Passages
knowledge-question = Words or a question
knowledge-question-hint = Passages are found by their words and by their meaning.
knowledge-search = Search
knowledge-found = { $count ->
    [one] One passage found, with the reason for the match.
   *[other] { $count } passages found, best first, with the reason for each match.
}
knowledge-marks = Your words are highlighted; the closest sentence is underlined.
knowledge-found-nothing = Nothing was found. Try other words, or all niches and languages.
knowledge-found-by-words = Matching words
knowledge-found-by-meaning = Matching meaning
knowledge-found-by-both = Matching words and meaning
knowledge-words-found = { $count ->
    [0] none of your words in the text
    [one] one of your words
   *[other] { $count } times one of your words
}
knowledge-relevance = Relevance
knowledge-meaning = Relevance by meaning

nav-knowledge-conflicts = Conflicts
knowledge-conflict-open = waiting for a decision
knowledge-conflict-decided = decided
knowledge-conflict-outdated = out of date
knowledge-searching = search in progress
knowledge-searched = The last search examined { $passages } new or changed passages, compared { $compared } pairs and found { $found } conflicts,
knowledge-search-waiting = { $count } passages wait to be compared.
knowledge-show-conflicts = Show the conflicts
knowledge-search-conflicts = Search for conflicts now
knowledge-differs-figure = The figures differ
knowledge-differs-date = The dates differ
knowledge-differs-name = The names differ
knowledge-differs-negation = One denies what the other says
knowledge-differs-contrary = They point in opposite directions
knowledge-side-one = Source A
knowledge-side-other = Source B
knowledge-side-unused = No article uses this sentence.
knowledge-newer = newer
knowledge-more-independent = more independent documents
knowledge-preferred = preferred
knowledge-independent = { $count ->
    [0] said by a model alone
    [one] one independent document
   *[other] { $count } independent documents
}
knowledge-decide = Which one is right?
knowledge-decide-now = Decide
knowledge-decision-one = Source A: articles no longer use B
knowledge-decision-other = Source B: articles no longer use A
knowledge-decision-both = Both, each in its own context
knowledge-decision-dismiss = This is not a conflict
knowledge-decided-prefer = Decided { $when }: one source is preferred.
knowledge-decided-both = Decided { $when }: both are right.
knowledge-decided-dismiss = Decided { $when }: not a conflict.
knowledge-no-conflicts = No such conflicts.
knowledge-never-searched = This knowledge base has not been searched for conflicts yet. After the first search, it is searched again whenever it changes.
note-conflicts-searched = The search has started.
note-decided = Decided. New articles follow your decision.
error-nothing-doubtful = The last sync was not doubtful, so there is nothing to accept.
error-conflict-outdated = One of the sentences no longer exists, so there is nothing to decide.

nav-knowledge-enrich = Enrich
knowledge-enrich-hint = The web is searched for a topic, and what the pages say about it is added to the knowledge base of the agent’s niche.
knowledge-enrich-now = Search the web
knowledge-enrich-again = Try again
knowledge-rejected = This topic does not belong to the niche: { $reason }
knowledge-progress = Progress
knowledge-enrichment-pending = About to start.
knowledge-enrichment-queued = Started.
knowledge-enrichment-searching = Searching the web.
knowledge-enrichment-fetching = Reading the pages.
knowledge-enrichment-processing = Splitting the texts into passages.
knowledge-enrichment-indexing = Adding the passages to the knowledge base.
knowledge-enrichment-enriching = Analysing the passages.
knowledge-enrichment-ready = There is enough to write from; the rest follows.
knowledge-enrichment-completed = Done.
knowledge-enrichment-failed = The enrichment failed. It does not count against your plan.
knowledge-insights = { $count ->
    [one] One passage
   *[other] { $count } passages
} on the topic added to the knowledge base, from { $documents ->
    [one] one document.
   *[other] { $documents } documents.
}
note-enriching = The enrichment has started. You can leave this page; it continues.

nav-knowledge-entities = Entities
knowledge-entities-shown = Entities to show
knowledge-no-entities = No entities were found in this knowledge base yet.
knowledge-graph-hint = People, places and things that the texts mention, the most frequent first. Linked names appear together in passages more often than by chance; names of one colour form a group.
knowledge-graph-title = { $nodes } entities and { $edges } connections between them
knowledge-graph-text = The more often a name is mentioned, the larger its circle. Dashed lines link names that are close in meaning only. The list beside gives the same information as text.
knowledge-closer = Zoom in
knowledge-farther = Zoom out
knowledge-whole = Show everything
knowledge-group-closer = Enlarge this group
knowledge-entity-list = Entities as a list
knowledge-alone = Without links
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
knowledge-topics-failed = The topics could not be computed; those of the previous run are shown below.
knowledge-topics-done = The topics are computed.
knowledge-show-topics = Show the topics
knowledge-topics-computed = Computed { $when }
knowledge-compute-topics = Compute again
knowledge-topics-share = Topics covered
knowledge-topics-covered = Enough for an article
knowledge-topics-rich = More than enough for an article
knowledge-topics-thin = Some material, but not enough
knowledge-topics-missing = Little or nothing
knowledge-heat = Amount of material, out of 100
knowledge-topics-table = All topics as a table
knowledge-no-topics = No topics yet. Topics come from the niche’s keywords, its articles and its knowledge base.
note-topics-computed = The computation has started.
