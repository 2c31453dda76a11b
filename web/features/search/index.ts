export { Palette, type PaletteCommand } from './palette.tsx'
