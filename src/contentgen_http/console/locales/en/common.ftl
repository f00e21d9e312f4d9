# Texts that all pages share.
skip = Go to the content
menu = Menu
nav-home = Home
nav-coverage = Coverage
nav-articles = Articles
nav-publishing = Publishing
nav-settings = Settings
signed-in-as = { $name } in the team { $team }
sign-out = Sign out
sign-out-everywhere = Sign out everywhere
footer = Every sentence rests on a source you can see.

state-draft = plan to review
state-generating = being written
state-generated = written
state-scheduled = scheduled
state-published = published
state-failed = failed
state-pending = under way
state-unknown = unknown
state-removed = removed

level-excellent = Excellent coverage
level-good = Good coverage
level-low = Low coverage
level-insufficient = Not covered

length-short = Short
length-standard = Standard
length-long = Long
length-very_long = Very long

quota-articles = Articles this month
quota-agents = Agents
quota-coverageChecks = Coverage checks today
quota-enrichments = Enrichments
quota-translationCredits = Translations
quota-documents = Private documents
quota-integrations = Integrations
quota-teamMembers = Team members
quota-used = { $used } of { $limit }

error-title = That did not work
error-home = Back to the first page
error-request-id = If you ask somebody about it, name this number: { $id }
error-internal = Something went wrong on our side. Nothing is known to be lost.
error-request = The page could not be asked for in this way.
error-404 = There is nothing at this address.
error-413 = That is more than this page takes at once: at most 2 MB.
error-not-found = It does not exist, or it belongs to another team.
error-not-permitted = Your role does not allow this. Ask an admin of your team.
error-session-ended = Your session has ended. Sign in again in another tab, then repeat this: what you typed is still here.
error-last-owner = A team keeps at least one owner. Make somebody else an owner first.
error-already-exists = There is one of this name or address already.
error-concurrent-change = Somebody else changed this in the meantime. Load the page again to see it.
error-quota-exceeded = The quota of your plan is used up.
error-daily-quota-exceeded = Today's allowance of your plan is used up.
error-plan-restriction = Your plan does not include this.
error-coverage-too-low = The knowledge base does not hold enough on this topic. Add sources, or choose another topic.
error-rate-limited = Too many requests in a minute. Wait a moment.
error-tenant-suspended = This team is suspended. Nothing of it is lost: ask whoever runs the service.
error-unauthenticated = This key is unknown, expired or revoked.
error-sign-in-invalid = This link cannot be used any more: each works once, for 20 minutes. Ask for a new one.
error-foreign-form = This page is from before you signed in, or from another site. Load it again.
error-topic-already-generating = An article on this topic is being written already.
error-agent-switched-off = This agent is switched off.
error-no-plan-awaiting-review = No plan of this article waits for a review any more.

kept-title = Your session has ended
kept-text = Nothing of what you typed is lost. Sign in again, then go on.
kept-sign-in = Sign in, in a new tab
kept-continue = I have signed in: go on
resume-title = Welcome back
resume-text = What you typed before your session ended is kept. Send it now.
resume-send = Send it
somebody = somebody who has left
