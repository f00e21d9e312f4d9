home-title = Hello { $name }
home-first = Your first article in three steps: ask, see the coverage, write
home-ask = What do you want to write about?
home-no-agents = Activate a niche first; then its agents can write.
home-needed = Needs you
home-quiet = Nothing waits for you.
home-plans = Plans to review
home-updates = Articles whose sources changed
home-sentences = { $count ->
    [one] one sentence
   *[other] { $count } sentences
}
home-outage = The model does not answer. The articles under way wait for it and go on by themselves.
home-failed = Could not be written
home-sources = Sources to look at
home-recent = What happened
home-nothing = Nothing yet.
home-quotas = Your plan
note-planned = The plan is ready. Change what you like, then have it written.
note-writing = The article is being written.
note-saved = Saved. The sentences were checked again.
home-examples = Or begin with what your sources are about:
home-untitled = Without a title
home-reviews = Articles to approve
home-posts = Posts that failed, or that nobody knows of
home-conflicts = Sources that contradict each other
home-against = against
home-others = Waiting for others to approve
