alter table sending_domains add column tracking_found boolean not null default false;
comment on column sending_domains.tracking_found is 'The name of the domain for links leads here, and this installation serves it.';
-- Their next check asks.
update sending_domains set next_check_at = now() where findings @> '[{"purpose": "tracking", "state": "pass"}]';
