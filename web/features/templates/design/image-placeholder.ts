/** Marks an image that stands for one not chosen yet. */
export const PLACEHOLDER = 'data-postlark-placeholder'
const DRAWN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="220" viewBox="0 0 600 220"><rect x="1" y="1" width="598" height="218" rx="10" fill="#f4f5f9" stroke="#c9cdda" stroke-width="2" stroke-dasharray="8 6"/><g fill="none" stroke="#6a7086" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"><rect x="270" y="62" width="60" height="48" rx="6"/><circle cx="286" cy="78" r="5"/><path d="m272 104 18-16 12 10 10-8 16 14"/></g><text x="300" y="152" font-family="Arial, sans-serif" font-size="20" fill="#4b5166" text-anchor="middle">Choose an image</text></svg>'

/** An image block without an image is shown as a place for one. */
export function drawPlaceholders(page: Document): void {
  for (const image of page.querySelectorAll('img')) {
    if (!/^(?:https?:\/*)?$/i.test(image.getAttribute('src')?.trim() ?? '')) continue
    image.setAttribute(PLACEHOLDER, '')
    image.src = `data:image/svg+xml,${encodeURIComponent(DRAWN)}`
    image.alt = 'Choose an image'
    image.style.cursor = 'pointer'
  }
}
