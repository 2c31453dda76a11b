import { normalizeEmail, normalizePhone } from '../../address.ts'

// Headings as plain() leaves them: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish,
// Russian, Ukrainian, Hindi, Chinese, Japanese and Korean.
const EMAIL =
  /^(e?mail(s|address|adresse?|adres|id|addr|primary|work)?|.*(emailadd?ress?e?|mailadresse|emailaddress)|courriel|adresse?(e?mail|electronique)|correo(electronico)?|(direccionde)?correo.*|indirizzoemail|postaelettronica|emailadres|adrese?mail|eposta(adresi)?|почта|электроннаяпочта|имейл|емейл|електроннапошта|ईमेल|邮箱|邮件|电子邮[件箱](地址)?|メール(アドレス)?|电邮|電子郵件|이메일(주소)?)$/
const PHONE =
  /^(tele?(phone|fono|fon|fone|foon|fonnummer|phonenumber)?(number|numer|nummer|nr|no)?|phone(s|number|no|primary|work)?|mobile?(phone|number|no|nummer|telefon)?|cell(phone|number)?|handy(nummer)?|mobiltelefon|rufnummer|portable|numero(de)?(telephone|telefono)?|movil|celular|cellulare|telefone|telemovel|mobiel(nummer)?|komorka|numertelefonu|whatsapp(number)?|телефон|мобильный|номертелефона|फ़?ोन|फोन|手机(号码?)?|电话(号码)?|電話(番号)?|携帯(電話)?|전화(번호)?|휴대폰)$/
const NAME =
  /^((full|display|contact|customer|client)?name|namen|nom(complet)?|nombre(completo)?|nome(completo|cognome)?|nominativo|naam|volledigenaam|imie(inazwisko)?|ad(i)?soyad(i)?|isim|имя|фио|імя|піб|नाम|姓名|名字|氏名|名前|お名前|이름|성명)$/
const FIRST = /^(first(name)?|given(name)?|vorname|prenom|primernombre|nome?dibattesimo|voornaam|imie)$/
const LAST =
  /^((last|family)name|last|surname|nachname|familienname|nomdefamille|apellidos?|cognome|sobrenome|apelido|achternaam|nazwisko|soyad(i)?|фамилия|прізвище)$/

/** Guesses what each column holds: `{ heading: 'email' | 'phone' | 'name' | 'first_name' | 'last_name' | attribute name }`. Blank headings are judged by content. */
export function guessMapping(columns: string[], rows: string[][]): Record<string, string> {
  const mapping: Record<string, string> = {}
  const taken = new Set<string>()
  const take = (field: string, fits: (heading: string, index: number) => boolean) => {
    const index = columns.findIndex((column, i) => !Object.hasOwn(mapping, column) && fits(plain(column), i))
    if (index < 0 || taken.has(field)) return
    mapping[columns[index] ?? ''] = field
    taken.add(field)
  }
  const holds = (index: number, test: (cell: string) => boolean) => {
    const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell.trim() !== '')
    return cells.length > 0 && cells.filter(test).length > cells.length / 2
  }
  const isEmail = (cell: string) => 'key' in normalizeEmail(cell)
  take('email', (heading, i) => EMAIL.test(heading) && (rows.length === 0 || holds(i, isEmail)))
  take('email', (_, i) => holds(i, isEmail))
  take('email', (heading) => EMAIL.test(heading))
  take('phone', (heading) => PHONE.test(heading))
  take('phone', (_, i) => holds(i, (cell) => /^\s*(\+|00)/.test(cell) && 'phone' in normalizePhone(cell)))
  take('name', (heading) => NAME.test(heading))
  take('first_name', (heading) => FIRST.test(heading))
  take('last_name', (heading) => LAST.test(heading))
  for (const column of columns) if (!Object.hasOwn(mapping, column)) mapping[column] = freeName(column, mapping)
  return mapping
}

/** What takes several columns. */
const SHARED = new Set(['name', 'tags'])

/** The attribute of a column that is nothing else: one that no other column has, nor the address and the number of a contact. */
function freeName(column: string, mapping: Record<string, string>): string {
  const name = attributeName(column)
  const isTaken = (name: string) =>
    name === 'email' || name === 'phone' || (!SHARED.has(name) && Object.values(mapping).includes(name))
  if (name === '' || !isTaken(name)) return name
  for (let i = 2; ; i++) if (!isTaken(`${name.slice(0, 58)}_${i}`)) return `${name.slice(0, 58)}_${i}`
}

/** A heading as a merge field: at most 64 letters, digits, spaces, `_`, `.` and `-`. */
function attributeName(column: string): string {
  return column
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_ .-]+/gu, ' ')
    .trim()
    .slice(0, 64)
    .trim()
    .toLowerCase()
    .replaceAll(' ', '_')
    .replace(/^__proto__$/, '')
}

/** A heading for comparing: lower-case, Latin letters without accents, nothing but letters and digits. */
function plain(heading: string): string {
  return heading
    .normalize('NFD')
    .toLowerCase()
    .replace(/([a-zı])[\u0300-\u036f]+/g, '$1')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}
