create table receiver_domains (
  domain text primary key,
  operator text,
  expires_at timestamptz not null
);
create index receiver_domains_expires on receiver_domains (expires_at);
comment on table receiver_domains is 'Who receives the mail of domains, by their MX records. Of the installation, and not of a workspace.';
comment on column receiver_domains.operator is 'A mail operator such as google; null: none that is known, or DNS did not say.';
comment on column receiver_domains.expires_at is 'From then on DNS is asked again when a campaign goes to the domain.';

create table receiver_paces (
  workspace_id bigint not null,
  sender_id bigint not null,
  receiver text not null,
  connections integer check (connections between 1 and 50),
  per_second double precision check (per_second > 0),
  per_hour integer check (per_hour > 0),
  slowed_to integer check (slowed_to > 0),
  slowed_from integer check (slowed_from >= slowed_to),
  slowed_at timestamptz,
  response text not null default '',
  primary key (workspace_id, sender_id, receiver),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
comment on table receiver_paces is 'How fast a sender may send to a receiver: by its owner, and as the receiver asked for less.';
comment on column receiver_paces.receiver is 'A mail operator such as google, else the domain of the addresses.';
comment on column receiver_paces.slowed_to is 'Messages an hour from slowed_at on. From there it rises in steps to slowed_from, and then ends.';
comment on column receiver_paces.response is 'What the receiver said when it was slowed down.';

alter table sender_shares add column receiver text not null default '';
alter table sender_shares drop constraint sender_shares_pkey;
alter table sender_shares add primary key (workspace_id, sender_id, receiver, worker);
comment on column sender_shares.receiver is 'Of the limits of one receiver; empty: of those of the sender itself.';
