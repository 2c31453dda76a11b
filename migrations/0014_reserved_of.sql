-- A campaign says which limit of the month it reserved of, so that settling it asks for no channel.
alter table campaigns add column reserved_of text not null default 'emails';
update campaigns set reserved_of = 'whatsapp_messages' where channel = 'whatsapp' and reserved_month is not null;
comment on column campaigns.reserved_of is 'The column of usage_months that counts its messages.';

create or replace function settle_campaign() returns trigger language plpgsql as $$
declare used bigint;
begin
  select n.sent + n.bounced + n.unconfirmed + n.claimed - new.reserved_before into used from campaign_counts n
    where n.workspace_id = new.workspace_id and n.campaign_id = new.id;
  used := least(greatest(coalesce(used, 0), 0), new.reserved);
  execute format('update usage_months set %1$I = greatest(0, %1$I - $1) where workspace_id = $2 and month = $3', new.reserved_of)
    using new.reserved - used, new.workspace_id, new.reserved_month;
  new.reserved := used;
  return new;
end $$;
