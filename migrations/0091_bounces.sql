-- A service that gave milliseconds where seconds were expected had its bounces stored in the year 58,000.
update messages set bounced_at = now() where trouble = 'bounced' and bounced_at > now() + interval '1 day';
