# The public pages.
skip = Skip to content
menu = Pages
articles = Articles
radar = Trend radar
feed = Feed
sign-in = Sign in
footer = { $name } · Articles whose every statement has its source.
promise = Articles whose every statement has its source.
newest = Newest articles
nothing-yet = No public articles yet.
trends = Trends
whole-radar = Full radar
search = Search
category = Subjects
language = Languages
all-categories = All subjects
all-languages = All languages
find = Search
found = { $count ->
    [0] No article is like that.
    [one] One article
   *[other] { $count } articles
  }
pages = Pages of the list
newer = Newer articles
older = Older articles
page-of = Page { $page } of { $pages }
follow = Subscribe in a feed reader
minutes = { $count } min
related = Related articles
radar-reads = What several sources are reporting now. The closer to the centre, the higher the score; each niche has its own sector.
radar-picture = Trends on a radar; the table below gives the same information as text.
rank = No.
trend = Trend
niche = Niche
kind = Kind
score = Score
sources = Sources
sample = sample
no-trends = No trends yet.
category-trend-radar = Trend radar
category-hallucinations = Hallucinations
category-rag-failures = Retrieval failures
category-prompt-injection = Prompt injection
category-data-leaks = Data leaks
category-bias = Bias
category-regulation = Regulation
category-safety = Safety
category-other = Other subjects
kind-news = News
kind-research = Research
kind-regulation = Regulation
kind-industry = Industry
kind-community = Community
kind-knowledge = Knowledge base
