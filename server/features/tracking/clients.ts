/** Mail programs by the user agent of the request for the pixel; the first that fits names it. */
const table: [RegExp, string][] = [
  [/GoogleImageProxy/, 'Gmail'],
  [/^YahooMailProxy/, 'Yahoo Mail'],
  [/Outlook-iOS|Outlook-Android/i, 'Outlook (phone)'],
  [/Microsoft Outlook|MSOffice|ms-office|Microsoft Office/i, 'Outlook'],
  [/Thunderbird|Betterbird/i, 'Thunderbird'],
  [/Airmail/i, 'Airmail'],
  [/SparkDesktop|Readdle/i, 'Spark'],
  [/Superhuman/i, 'Superhuman'],
  [/eM ?Client/i, 'eM Client'],
  [/Mailspring/i, 'Mailspring'],
  [/SamsungEmail|Samsung ?Mail/i, 'Samsung Mail'],
  [/K-9|FairEmail|BlueMail/i, 'Other mail program on Android'],
  [/Apple Mail|\bMail\/\d/, 'Apple Mail'],
  // Apple Mail is WebKit that names neither Safari nor a version of it.
  [/\((iPhone|iPad|iPod).*AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)( Mobile\/\w+)?$/, 'Apple Mail (phone)'],
  [/\(Macintosh.*AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)$/, 'Apple Mail'],
  [/Edg(e|A|iOS)?\//, 'Web mail in Edge'],
  [/OPR\/|Opera/, 'Web mail in Opera'],
  [/SamsungBrowser/, 'Web mail in Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Web mail in Firefox'],
  [/Chrome\/|CriOS\//, 'Web mail in Chrome'],
  [/Safari\//, 'Web mail in Safari'],
]

/** The name of the mail program behind a user agent; `unknown` when it does not tell. */
export function detectMailClient(userAgent: string): string {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'unknown'
}
