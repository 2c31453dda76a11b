alter table sending_domains add column return_path_found boolean not null default false;
update sending_domains set return_path_found = true where findings @> '[{"purpose": "return_path", "state": "pass"}]';
comment on column sending_domains.return_path_found is 'DNS leads the bounces of the domain to this installation.';

alter table messages add column bounced_at timestamptz, add column bounce_source text;
update messages m set bounced_at = coalesce(g.bounced_at, m.sent_at), bounce_source = 'gmail'
from gmail_messages g where g.workspace_id = m.workspace_id and g.message_id = m.id and m.state = 'bounced';
comment on column messages.bounced_at is 'When it was reported that it bounced, after a mail server had accepted it.';
comment on column messages.bounce_source is 'The kind of the bounce source that reported it; gmail: the mailbox of its account.';

alter table bounce_sources add column settings jsonb not null default '{}', add column trouble text not null default '',
  add column due_at timestamptz;
create index bounce_sources_due on bounce_sources (due_at) where due_at is not null;
comment on column bounce_sources.settings is 'Of a mailbox: host, port, security, user, folder, and where its reading stands.';
comment on column bounce_sources.trouble is 'Why it cannot be read at the moment; empty: it can.';
comment on column bounce_sources.due_at is 'When a mailbox is read next; null: the source is no mailbox.';

alter table campaigns add column has_return_path boolean not null default false, add column complained integer not null default 0;
comment on column campaigns.has_return_path is 'Bounces of its emails return to addresses of this installation.';
comment on column campaigns.complained is 'Complaints about its messages since it was last resumed.';
