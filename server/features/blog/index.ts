/** The blog of the installation: posts, feed, readers. What the start and other features may use. */
export { blogPages } from './cached-pages.ts'
export { mountBlog } from './routes.ts'
export { publishedPosts } from './store.ts'
