-- The email of a step of a journey is a campaign whose recipients come one by one.
alter table campaigns add column journey_id bigint, add column journey_step text;
create index campaigns_journey on campaigns (workspace_id, journey_id) where journey_id is not null;
comment on column campaigns.journey_id is 'The journey whose email it is, which may be deleted by now; null: of none.';
comment on column campaigns.journey_step is 'The step of that journey.';
