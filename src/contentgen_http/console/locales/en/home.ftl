home-title = Hello { $name }
home-first = Your first article in three steps: enter a topic, check its coverage, write
home-ask = What do you want to write about?
home-no-agents = Activate a niche first; then its agents can write.
home-needed = To do
home-quiet = Nothing to do.
home-plans = Plans to review
home-updates = Articles whose sources changed
home-sentences = { $count ->
    [one] one sentence
   *[other] { $count } sentences
}
home-outage = The model is not answering. The articles in progress wait for it and resume by themselves.
home-failed = Articles that could not be written
home-sources = Sources to check
home-recent = Recent activity
home-nothing = Nothing yet.
home-quotas = Your plan
note-planned = The plan is ready. Edit it as you like, then approve it to have the article written.
note-writing = The article is being written.
note-saved = Saved. The sentences were checked again.
home-examples = Or start from a topic that your sources cover:
home-untitled = Untitled
home-reviews = Articles to approve
home-posts = Posts with a failed or unknown status
home-conflicts = Conflicting sources
home-against = against
home-others = Waiting for approval by others
