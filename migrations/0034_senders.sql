create table receiver_pauses (
  workspace_id bigint not null,
  sender_id bigint not null,
  receiver text not null,
  paused_until timestamptz not null,
  pauses integer not null default 1,
  response text not null default '',
  primary key (workspace_id, sender_id, receiver),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
comment on table receiver_pauses is 'Receivers that refuse a sender: nothing is sent to them for a while.';
comment on column receiver_pauses.receiver is 'A mail operator such as google, else the domain of the addresses.';
comment on column receiver_pauses.pauses is 'Pauses in a row: each is twice as long as the one before.';
comment on column receiver_pauses.response is 'What the receiver said.';
