import { Form } from 'react-router'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/input.tsx'

/** Looks for words in posts. A form by GET: it works before, and without, any script. */
export function SearchForm({ text }: { text: string }) {
  return (
    <Form action="/search" role="search" className="flex w-full gap-2 sm:max-w-sm">
      <SearchInput key={text} label="Search posts" name="q" defaultValue={text} maxLength={200} className="flex-1" />
      <Button type="submit">Search</Button>
    </Form>
  )
}
