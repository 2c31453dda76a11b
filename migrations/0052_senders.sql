alter table dmarc_reports add column author text;
comment on column dmarc_reports.author is 'The domain that vouches for the report by DKIM or SPF; empty: that was not looked at yet; null: none does.';
update dmarc_reports set author = '';
