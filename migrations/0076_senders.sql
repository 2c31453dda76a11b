create table link_hosts (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  domain text not null,
  used_at timestamptz not null default now(),
  primary key (workspace_id, domain)
);
create index link_hosts_domain on link_hosts (domain);
comment on table link_hosts is 'Sending domains at whose links. name links of sent emails are; they stay when the domain is removed, because the emails do.';
comment on column link_hosts.used_at is 'About when links at it were last put into emails: at most a day earlier than it was.';
-- What was sent before: a name that serves links has most likely been used.
insert into link_hosts (workspace_id, domain) select workspace_id, domain from sending_domains where tracking_found;
