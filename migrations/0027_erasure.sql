-- People who were erased: a keyed hash (HMAC-SHA256 under SECRET_KEY) of the address, by which imports and every other way in
-- know them again. `suppression`: why the address was suppressed, for when the person comes back by their own word.
create table erased_addresses (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  channel text not null check (channel in ('email', 'whatsapp')),
  address_hash bytea not null,
  suppression text,
  at timestamptz not null default now(),
  primary key (workspace_id, channel, address_hash)
);

-- Lists that people whose contact was removed had unsubscribed from, by the same hash.
create table left_lists (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  address_hash bytea not null,
  list_id bigint not null references lists (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (workspace_id, address_hash, list_id)
);
create index left_lists_list on left_lists (list_id);

-- A recorded consent is never changed, but for the erasure of its person: the proof stays, without whom it names.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('postlark.erasing', true) = 'on' then
    return new;
  end if;
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
