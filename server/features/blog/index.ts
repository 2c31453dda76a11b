/** The blog of the installation: posts, feed, readers. What the start and other features may use. */

export { publishedPosts } from './posts/store.ts'
export { blogPages } from './public/cached-pages.ts'
export { mountBlog } from './routes.ts'
