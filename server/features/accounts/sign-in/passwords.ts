import { hash, verify } from '@node-rs/argon2'

// OWASP's argon2id floor: 19 MiB, 2 passes, 1 lane.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Argon2id hash of a password, in PHC form. */
export const hashPassword = (password: string) => hash(password, options)

// Verified against when there is no such user, so that known and unknown addresses take the same time.
const nobody = hashPassword('nobody has this password')

/** Whether the password is right; takes as long for a user that does not exist. */
export async function isPasswordRight(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobody), password)
  return right && Boolean(passwordHash)
}

/** What a few signs around a known word add is soon guessed: they come off before the word is looked up. */
const DECORATION = 6
const LEET: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
const unleet = (text: string) => text.replace(/[@431!0$57]/g, (sign) => LEET[sign] ?? sign)

let list: Promise<Set<string>> | undefined

/** 49,000 passwords that people use most (from leaks; MIT), read when the first password is chosen. */
function mostUsed(): Promise<Set<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set([...dictionary['passwords-common'], 'postlark']),
  )
  return list
}

/** The password as a guesser would try it: as it is, without its decoration, without leet, and not repeated. */
function* guesses(plain: string): Generator<string> {
  for (const text of [plain, unleet(plain)]) {
    yield text
    const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    if (bare.length >= 4 && text.length - bare.length <= DECORATION) yield bare
    const half = bare.slice(0, bare.length / 2)
    if (half.length >= 4 && half + half === bare) yield half
  }
  const undecorated = plain.replace(/^[^\p{L}@$]+|[\d\W_]+$/gu, '')
  if (undecorated.length >= 4 && plain.length - undecorated.length <= DECORATION) yield unleet(undecorated)
}

/** Whether next to nothing is left of the password without this word (a name, a part of the address). */
function leansOn(plain: string, word: string): boolean {
  return word.length >= 4 && plain.includes(word) && plain.replaceAll(word, '').length <= DECORATION
}

/** Why a password cannot be chosen, or nothing: too common, too uniform, or made of the person's own name or address. */
export async function weakness(password: string, of: { email: string; name: string }): Promise<string | undefined> {
  const plain = password.toLowerCase()
  const common = await mostUsed()
  for (const guess of guesses(plain))
    if (common.has(guess)) return 'is one of the most used passwords, or close to one. Choose another one.'
  if (new Set(plain).size < 4) return 'repeats the same few characters. Choose another one.'
  const email = of.email.toLowerCase()
  if (
    plain === email ||
    email.split(/[@.+_-]/).some((word) => leansOn(plain, word)) ||
    leansOn(plain, email.split('@')[0] ?? '')
  )
    return 'is too close to your email address. Choose another one.'
  const name = of.name.toLowerCase()
  if ([...name.split(/\s+/), name, name.replaceAll(/\s+/g, '')].some((word) => leansOn(plain, word)))
    return 'is too close to your name. Choose another one.'
  return undefined
}
