-- Opens and clicks that are counted in total, without recipients (docs/decisions/0094-tracking-of-totals-alone.md).
alter table campaigns add column totals_of text[],
  add constraint campaigns_totals_of check (totals_of is null or (totals_of <@ array['opens', 'clicks'] and not (track_opens or track_clicks)));
comment on column campaigns.totals_of is
  'What is counted in total, without recipients: opens, clicks, both or nothing. Null: opens and clicks are tracked by recipient, as far as track_opens and track_clicks say.';
