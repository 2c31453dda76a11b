import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { useBrand } from '../queries.ts'
import { kindOf, type Setting, WRITABLE } from './block-kinds.ts'
import { FONTS, fontLabel } from './colours.ts'
import { ConditionSetter } from './condition-setter.tsx'
import { attributeOf, type Block } from './mjml-source.ts'
import { PictureLibrary } from './picture-library.tsx'

interface InspectorProps {
  block: Block | undefined
  source: string
  onSet: (name: string, value: string) => void
  /** A chosen picture with what it shows. */
  onPicture: (name: string, url: string, alt: string) => void
  onWrite: () => void
  onContent: (content: string) => void
  /** Whether what is selected may have a condition. */
  isConditional: boolean
  onCondition: (condition: string) => void
}

/** What can be set of the element that is selected. */
export function Inspector(props: InspectorProps) {
  const { block, source, onSet, onPicture, onWrite, onContent } = props
  if (!block) {
    return (
      <p className="px-4 py-5 text-base text-muted">
        Press an element in the letter to change it. Press it twice to write in it, and drag it to move it.
      </p>
    )
  }
  const kind = kindOf(block.tag)
  return (
    <div className="space-y-4 px-4 py-4">
      <h2 className="text-base font-semibold text-ink">{kind.label}</h2>
      {WRITABLE.has(block.tag) && (
        <Button size="sm" onClick={onWrite}>
          Write in the letter
        </Button>
      )}
      {(block.tag === 'mj-button' || block.tag === 'mj-social-element') && (
        <Field label="Words">
          <Draft value={source.slice(block.contentFrom, block.contentTo).trim()} onChange={onContent} />
        </Field>
      )}
      {kind.settings.map((setting) => (
        <Setter
          key={`${block.index} ${setting.name}`}
          setting={setting}
          value={attributeOf(block, setting.name) ?? ''}
          onSet={(value) => onSet(setting.name, value)}
          onPicture={(url, alt) => onPicture(setting.name, url, alt)}
        />
      ))}
      {kind.settings.length === 0 && (
        <p className="text-sm text-muted">Nothing to set here. The code has everything it can do.</p>
      )}
      {props.isConditional && <ConditionSetter condition={block.condition} onChange={props.onCondition} />}
    </div>
  )
}

/** A line that keeps what is being typed, also while the letter is drawn anew. */
function Draft({
  value,
  onChange,
  ...rest
}: { value: string; onChange: (value: string) => void } & Omit<React.ComponentProps<'input'>, 'onChange' | 'value'>) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <Input
      {...rest}
      value={text}
      autoComplete="off"
      onChange={(event) => {
        setText(event.target.value)
        onChange(event.target.value)
      }}
    />
  )
}

interface SetterProps {
  setting: Setting
  value: string
  onSet: (value: string) => void
  onPicture: (url: string, alt: string) => void
}

const HEX = /^#[0-9a-f]{6}$/i
const plain = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

function Setter({ setting, value, onSet, onPicture }: SetterProps) {
  const [choosing, setChoosing] = useState(false)
  const { label, kind, placeholder } = setting
  if (kind === 'align')
    return (
      <Field label={label} optional>
        <Select value={value} onChange={(event) => onSet(event.target.value)}>
          <option value="">As the letter has it</option>
          <option value="left">Left</option>
          <option value="center">In the middle</option>
          <option value="right">Right</option>
        </Select>
      </Field>
    )
  if (kind === 'colour')
    return (
      <Field label={label} optional>
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={`${label}: choose`}
            value={HEX.test(value) ? value : '#ffffff'}
            onChange={(event) => onSet(event.target.value)}
            className="h-9 w-10 shrink-0 rounded-control border border-control bg-raised p-1"
          />
          <Draft aria-label={label} value={value} placeholder="As the letter has it" onChange={onSet} />
        </div>
        <BrandColours label={label} value={value} onSet={onSet} />
      </Field>
    )
  if (kind === 'font') return <FontSetter label={label} value={plain(value)} onSet={onSet} />
  if (kind === 'picture')
    return (
      <Field label={label}>
        <div className="space-y-2">
          <Button size="sm" onClick={() => setChoosing(true)}>
            {value ? 'Choose another picture' : 'Choose a picture'}
          </Button>
          <Draft aria-label={`${label}: address`} value={plain(value)} placeholder="https://" onChange={onSet} />
          {choosing && (
            <PictureLibrary
              onClose={() => setChoosing(false)}
              onChoose={(picture) => {
                onPicture(picture.url, picture.alt)
                setChoosing(false)
              }}
            />
          )}
        </div>
      </Field>
    )
  return (
    <Field
      label={label}
      optional={setting.name !== 'alt' && setting.name !== 'href'}
      error={
        setting.name === 'alt' && value === ''
          ? 'Who cannot see the picture reads nothing. Say what it shows.'
          : undefined
      }
    >
      <Draft
        value={plain(value)}
        {...(placeholder && { placeholder })}
        {...(kind === 'address' && { inputMode: 'url' as const })}
        onChange={onSet}
      />
    </Field>
  )
}

interface ChoiceProps {
  label: string
  value: string
  onSet: (value: string) => void
}

/** The workspace's own colours, a press away. */
function BrandColours({ label, value, onSet }: ChoiceProps) {
  const brand = useBrand()
  if (!brand.data || brand.data.colours.length === 0) return null
  return (
    <div role="group" aria-label={`${label}: colours of your brand`} className="mt-2 flex flex-wrap gap-1.5">
      {brand.data.colours.map((colour) => (
        <button
          key={colour}
          type="button"
          aria-label={`${label}: ${colour}`}
          title={colour}
          aria-pressed={value.toLowerCase() === colour}
          onClick={() => onSet(colour)}
          style={{ background: colour }}
          className="size-6 rounded-full border border-control aria-pressed:outline-2 aria-pressed:outline-offset-1 aria-pressed:outline-accent-text"
        />
      ))}
    </div>
  )
}

function FontSetter({ label, value, onSet }: ChoiceProps) {
  const brand = useBrand().data
  const own = [...new Set([brand?.textFont ?? '', brand?.headingFont ?? ''])].filter((font) => font !== '')
  const known = [...own, ...FONTS.map((font) => font.value)]
  return (
    <Field label={label} optional>
      <Select value={value} onChange={(event) => onSet(event.target.value)}>
        <option value="">As the letter has it</option>
        {value !== '' && !known.includes(value) && <option value={value}>{fontLabel(value)}</option>}
        {own.length > 0 && (
          <optgroup label="Your brand">
            {own.map((font) => (
              <option key={font} value={font}>
                {fontLabel(font)}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Fonts most readers have">
          {FONTS.filter((font) => !own.includes(font.value)).map((font) => (
            <option key={font.value} value={font.value}>
              {font.label}
            </option>
          ))}
        </optgroup>
      </Select>
    </Field>
  )
}
