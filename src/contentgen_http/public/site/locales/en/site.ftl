# The public pages.
skip = Skip to the content
menu = Pages
articles = Articles
radar = Trend radar
feed = Feed
sign-in = Sign in
footer = { $name } · Articles that say what they rest on.
promise = Articles that say what they rest on: each statement with its source.
newest = Newest articles
nothing-yet = Nothing is public yet.
trends = Trends
whole-radar = The whole radar
search = Search
category = Subjects
language = Languages
all-categories = All subjects
all-languages = All languages
find = Find
found = { $count ->
    [0] No article is like that.
    [one] One article
   *[other] { $count } articles
  }
pages = Pages of the list
newer = Newer articles
older = Older articles
page-of = Page { $page } of { $pages }
follow = Follow these articles in a feed reader
minutes = { $count } min
related = Related articles
radar-reads = What several sources speak of now. The nearer to the centre, the higher the score; each niche has a sector.
radar-picture = The trends on a radar; the table below has the same as words.
rank = No.
trend = Trend
niche = Niche
kind = Kind
score = Score
sources = Sources
sample = sample
no-trends = There are no trends yet.
category-trend-radar = Trend radar
category-hallucinations = Hallucinations
category-rag-failures = Failures of retrieval
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
