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
knowledge-file-hint = PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, HTML, Markdown, text or CSV; less than { $most } MB each.
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
