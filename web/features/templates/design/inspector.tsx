import { useEffect, useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useBrand } from '../queries.ts'
import { findBlockKind, type Setting, WRITABLE } from './block-kinds.ts'
import { FONTS, fontLabel } from './colors.ts'
import { ConditionSetter } from './condition-setter.tsx'
import { ImageLibrary } from './image-library.tsx'
import { type Block, findAttribute } from './mjml-source.ts'

interface InspectorProps {
  block: Block | undefined
  source: string
  onSet: (name: string, value: string) => void
  /** A chosen image with what it shows. */
  onImage: (name: string, url: string, alt: string) => void
  onWrite: () => void
  onContent: (content: string) => void
  /** Whether what is selected may have a condition. */
  isConditional: boolean
  onCondition: (condition: string) => void
}

/** What can be set of the element that is selected. */
export function Inspector(props: InspectorProps) {
  const { block, source, onSet, onImage, onWrite, onContent } = props
  if (!block) {
    return (
      <p className="px-4 py-5 text-base text-muted">Click a block to edit it. Double-click to type. Drag to move.</p>
    )
  }
  const kind = findBlockKind(block.tag)
  return (
    <div className="space-y-4 px-4 py-4">
      <h2 className="text-base font-semibold text-ink">{kind.label}</h2>
      {WRITABLE.has(block.tag) && (
        <Button size="sm" onClick={onWrite}>
          Edit text
        </Button>
      )}
      {(block.tag === 'mj-button' || block.tag === 'mj-social-element') && (
        <Field label="Label">
          <Draft value={source.slice(block.contentFrom, block.contentTo).trim()} onChange={onContent} />
        </Field>
      )}
      {kind.settings.map((setting) => (
        <Setter
          key={`${block.index} ${setting.name}`}
          setting={setting}
          value={findAttribute(block, setting.name) ?? ''}
          onSet={(value) => onSet(setting.name, value)}
          onImage={(url, alt) => onImage(setting.name, url, alt)}
        />
      ))}
      {kind.settings.length === 0 && (
        <p className="text-sm text-muted">This block has no settings here. Use the code view to edit it.</p>
      )}
      {props.isConditional && <ConditionSetter condition={block.condition} onChange={props.onCondition} />}
    </div>
  )
}

/** A line that keeps what is being typed, also while the email is drawn anew. */
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
  onImage: (url: string, alt: string) => void
}

const HEX = /^#[0-9a-f]{6}$/i
const plain = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

function Setter({ setting, value, onSet, onImage }: SetterProps) {
  const [choosing, setChoosing] = useState(false)
  const { label, kind, placeholder } = setting
  if (kind === 'align')
    return (
      <Field label={label} optional>
        <Select value={value} onChange={(event) => onSet(event.target.value)}>
          <option value="">Inherit</option>
          <option value="left">Left</option>
          <option value="center">Center</option>
          <option value="right">Right</option>
        </Select>
      </Field>
    )
  if (kind === 'color')
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
          <Draft aria-label={label} value={value} placeholder="Inherit" onChange={onSet} />
        </div>
        <BrandColors label={label} value={value} onSet={onSet} />
      </Field>
    )
  if (kind === 'font') return <FontSetter label={label} value={plain(value)} onSet={onSet} />
  if (kind === 'image')
    return (
      <Field label={label}>
        <div className="space-y-2">
          <Button size="sm" onClick={() => setChoosing(true)}>
            {value ? 'Choose another image' : 'Choose image'}
          </Button>
          <Draft aria-label={`${label}: URL`} value={plain(value)} placeholder="https://" onChange={onSet} />
          {choosing && (
            <ImageLibrary
              onClose={() => setChoosing(false)}
              onChoose={(image) => {
                onImage(image.url, image.alt)
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
      error={setting.name === 'alt' && value === '' ? 'Add alt text for people who can’t see the image.' : undefined}
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

/** The workspace's own colors, a press away. */
function BrandColors({ label, value, onSet }: ChoiceProps) {
  const brand = useBrand()
  if (!brand.data || brand.data.colors.length === 0) return null
  return (
    <div role="group" aria-label={`${label}: brand colors`} className="mt-2 flex flex-wrap gap-1.5">
      {brand.data.colors.map((color) => (
        <button
          key={color}
          type="button"
          aria-label={`${label}: ${color}`}
          title={color}
          aria-pressed={value.toLowerCase() === color}
          onClick={() => onSet(color)}
          style={{ background: color }}
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
        <option value="">Inherit</option>
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
        <optgroup label="Web-safe fonts">
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
