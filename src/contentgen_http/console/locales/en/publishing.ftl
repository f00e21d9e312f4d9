note-connected = The target is connected.
note-disconnected = The target is no longer connected.
note-target-works = The target took the credentials.
note-target-refuses = The target did not take the credentials: see below why.
note-target-on = The target is switched on.
note-target-off = The target is switched off: nothing is published there until it is switched on again.
publishing-targets = Targets
publishing-no-targets = Nothing is connected yet. Connect a target, and articles can be published there.
publishing-connected = connected
publishing-failing = refuses the credentials
publishing-off = switched off
publishing-tested = Last check { $since }.
publishing-never-tested = Not checked yet.
publishing-test = Test
publishing-test-named = Test { $name }
publishing-switch-off = Switch off
publishing-switch-off-named = Switch off { $name }
publishing-switch-on = Switch on
publishing-switch-on-named = Switch on { $name }
publishing-edit = Edit
publishing-edit-named = Edit { $name }
publishing-disconnect = Disconnect
publishing-disconnect-named = Disconnect { $name }
publishing-connect = Connect a target
publishing-admins-connect = Admins of your team connect and change targets.
publishing-posts = Posts
publishing-status = State
publishing-target = Target
publishing-no-posts = There are no posts like this.
publishing-newest = Newest
publishing-gone-target = { $provider }, no longer connected
publishing-choose = Choose what you publish with.
publishing-takes = Takes:
publishing-back = Back to publishing
publishing-connect-title = Connect { $name }
publishing-edit-title = Edit { $name }
publishing-name = Name
publishing-name-hint = As your team calls it.
publishing-required = needed
publishing-needed = This is needed.
publishing-still-needed = Still needed: { $fields }.
publishing-not-kept = Nothing is kept yet: see the fields below. Type secrets again, since they are never sent back.
publishing-kept = kept
publishing-kept-hint = A secret is kept. Leave the field empty to keep it.
publishing-remove-secret = Remove the secret
publishing-map-hint = A line each: name = value.
publishing-list-hint = One a line.
publishing-settings = Settings
publishing-works = It works.
publishing-not-yet = Not yet:
publishing-test-is-seen = A test sends a message that is seen at the target. Connecting tests, too.
publishing-save = Save
publishing-connect-now = Connect
publishing-limits = Good to know
publishing-title-max = Titles of { $count } characters at most.
publishing-tags-max = { $count ->
    [one] One tag at most.
   *[other] { $count } tags at most.
}
publishing-disconnect-title = Disconnect { $name }?
publishing-disconnect-secrets = Its credentials are forgotten. This cannot be undone.
publishing-disconnect-posts = { $count ->
    [one] One post stays at the target. It cannot be updated, looked at or taken back from here any more.
   *[other] { $count } posts stay at the target. They cannot be updated, looked at or taken back from here any more.
}
publishing-disconnect-pending = { $count ->
    [one] One post is under way or waits for its time, and will fail.
   *[other] { $count } posts are under way or wait for their time, and will fail.
}
publishing-disconnect-instead = To pause publishing there, switch the target off instead.
publishing-disconnect-now = Disconnect it
publishing-keep = Keep it
