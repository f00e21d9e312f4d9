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
articles-parts = The article
articles-review = Approval and comments
articles-versions = Versions
articles-passages-hint = Choose a sentence to see what it rests on.
articles-dated = Dated { $date }.
articles-not-checked = This sentence is not checked: the article has no sources.
articles-out-of-context = The passage says this of something else than the reader would take it to be said of.
articles-reviewed = { $reviewed } of { $count } sentences were reviewed by a person.
articles-reviewed-by = Reviewed by
articles-mark = I have reviewed it
articles-all-reviewed = I have reviewed all sentences
articles-comment = Look closer or comment
articles-comments = { $count ->
    [one] One open comment
   *[other] { $count } open comments
}
articles-doubtful = { $count ->
    [one] One sentence to look at
   *[other] { $count } sentences to look at
}
articles-back-to-text = Back to the text
articles-delete = Delete
articles-delete-title = Delete “{ $title }”?
articles-delete-text = The text goes with its versions, comments and receipt. This cannot be undone.
articles-delete-posts = { $count ->
    [one] Its post at a target stays there: take it back first if it is to go.
   *[other] Its { $count } posts at targets stay there: take them back first if they are to go.
}
articles-delete-yes = Delete it for good
approval-title = Approval
approval-none = nobody was asked
approval-inReview = waits for approval
approval-approved = approved
approval-changesRequested = sent back
approval-lapsed = The text was changed after it was approved.
approval-required = In this niche nothing goes out unapproved.
approval-not-required = In this niche articles may go out without approval.
approval-approvers = Approving is for:
approval-submit = Ask for approval
approval-approve = Approve this text
approval-send-back = Send it back
approval-send-back-now = Send it back with this reason
approval-reason = What has to change?
approval-not-yours = You may read and comment; approving is for those who are named above.
approval-no-text = There is no text yet that could be approved.
role-owner = owners
role-admin = administrators
role-editor = editors
role-viewer = viewers
comments-title = Comments
comments-which = Which comments
comments-open = Open
comments-resolved = Resolved
comments-all = All
comments-how = Comments are on single sentences: choose one in the text to write another.
comments-none = There are none.
comments-gone = (this sentence is no longer in the text)
comments-resolved-by = Resolved by
comments-reply = Reply
comments-your-reply = Your reply
comments-send = Send
comments-resolve = Resolve
comments-reopen = Open again
comments-delete = Delete
comments-delete-title = Delete this comment?
comments-delete-text = Its replies go with it. This cannot be undone.
comments-delete-yes = Delete it for good
comments-yours = Your comment
comments-add = Comment
comments-typed = What you typed
versions-number = Version { $number }
versions-by = by
versions-present = the present text
versions-approved = approved by
versions-published = first published { $at }
versions-read = Read it
versions-changed = What changed
versions-restore = Make this the text again
versions-none = No change of the text was kept yet.
versions-all = All versions
versions-from = From
versions-to = To
versions-compare = Compare
versions-changes = From version { $before } to version { $after }
versions-marks = Struck through: words that went. Underlined: words that came.
versions-markup = The sentences are the same; only their markup differs.
versions-same = Their texts are the same.
cause-generated = generated
cause-edited = edited
cause-patched = single sentences changed
cause-updated = updated after its sources
cause-translated = translated
cause-restored = restored from a former version
cause-earlier = as it was before
note-submitted = The approvers are asked.
note-approved = Approved: this text may go out.
note-sent-back = Sent back with your reason.
note-reviewed = Marked as reviewed.
note-commented = Said.
note-resolved = The comment is resolved.
note-reopened = The comment is open again.
note-comment-deleted = The comment is deleted.
note-restored = The former text is back. What it said before stays a version.
note-article-deleted = The article is deleted.
