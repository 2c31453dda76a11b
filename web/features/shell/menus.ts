/** The menus of the frame: one file, fetched when one of them is about to be opened. */
export { CreateMenu } from './navigation/create-menu.tsx'
export { UserMenu } from './user/user-menu.tsx'
