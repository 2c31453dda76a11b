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

const common = new Set(
  `password password1 password12 password123 password1234 passw0rd passw0rd123 1234567890 0123456789 12345678910 123456789a
  qwertyuiop qwerty1234 qwerty12345 qwertyuiop123 1q2w3e4r5t 1qaz2wsx3edc iloveyou12 iloveyou123 letmein1234 welcome123 welcome1234
  admin12345 administrator changeme12 changeme123 sunshine12 princess12 football12 baseball12 superman12 trustno1trustno1 abcdefghij
  abcd123456 abc1234567 aaaaaaaaaa 1111111111 0000000000 9876543210 0987654321 1122334455 asdfghjkl1 asdfghjkl; zxcvbnm123 postlark12
  postlark123 monkey12345 dragon12345 michael123 jennifer12 1234512345 qazwsxedcr google1234 computer12 internet12 whatever12 starwars12
  liverpool1 manchester hello12345 secret1234 test123456 testtest12 temporary1 mustang123 p@ssw0rd12 p@ssword123`.split(
    /\s+/,
  ),
)

/** Why a password cannot be chosen, or nothing. */
export function weakness(password: string, email: string): string | undefined {
  const plain = password.toLowerCase()
  if (common.has(plain)) return 'is one of the most used passwords. Choose another one.'
  if (new Set(plain).size < 4) return 'repeats the same few characters. Choose another one.'
  const [name = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || (name.length >= 4 && plain.replaceAll(name, '').length < 4))
    return 'is too close to your e-mail address. Choose another one.'
  return undefined
}
