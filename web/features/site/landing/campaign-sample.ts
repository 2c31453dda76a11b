/** Sample data for the screen on the landing page; the addresses are from the reserved example domains. */
export const SAMPLE = {
  name: 'Spring workshop: three seats left',
  audience: 'Newsletter, Berlin and around',
  figures: [
    { label: 'Opened', value: '1,204', note: '26 opens by bots' },
    { label: 'Clicked', value: '212', note: '17.6% of opens' },
    { label: 'Unsubscribed', value: '3', note: '0.1%' },
  ],
  log: [
    { who: 'amara.okafor@example.com', what: 'Clicked "See the dates"', dot: 'bg-chart-clicks' },
    { who: 'j.lindqvist@example.org', what: 'Opened', dot: 'bg-chart-opens' },
    { who: 'hello@studio-varga.example', what: 'Sent', dot: 'bg-good' },
    { who: 'old-address@example.net', what: 'Failed: no such mailbox', dot: 'bg-harm' },
  ],
}
