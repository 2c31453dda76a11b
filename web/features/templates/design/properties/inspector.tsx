import { Type } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useEditorBackend } from '../../editor-backend.tsx'
import { useBrand } from '../../queries.ts'
import { findBlockKind, type Setting, WRITABLE } from '../block-kinds.ts'
import { FONTS, fontLabel } from '../colors.ts'
import { ConditionSetter } from '../condition-setter.tsx'
import { type Block, findAttribute } from '../mjml-source.ts'
import { readInherited } from '../standalone.ts'
import { AlignControl } from './align-control.tsx'
import { ColorControl, findSwatches } from './color-control.tsx'
import { formatFour, parseFour, readPadding, writePadding } from './css-values.ts'
import { FourControl } from './four-control.tsx'
import { LengthControl } from './number-control.tsx'

interface InspectorProps {
  block: Block | undefined
  blocks: Block[]
  source: string
  /** Sets attributes together; empty values take theirs away. */
  onSet: (values: Record<string, string>) => void
  onChooseImage: (name: string) => void
  onWrite: () => void
  onContent: (content: string) => void
  /** Whether what is selected may have a condition. */
  isConditional: boolean
  onCondition: (condition: string) => void
}

/** What can be set of the element that is selected. */
export function Inspector(props: InspectorProps) {
  const { block, blocks, source, onSet, onChooseImage, onWrite, onContent } = props
  const { isDemo } = useEditorBackend()
  const brand = useBrand(!isDemo).data
  if (!block) {
    return (
      <p className="px-4 py-5 text-base text-muted">Click a block to edit it. Double-click to type. Drag to move.</p>
    )
  }
  const kind = findBlockKind(block.tag)
  const inherited = readInherited(blocks, block)
  const swatches = findSwatches(brand?.colors ?? [], source)
  return (
    <div className="space-y-5 px-4 py-4">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h2 className="text-base font-semibold text-ink">{kind.label}</h2>
        {WRITABLE.has(block.tag) && (
          <Button size="sm" icon={<Type aria-hidden="true" className="size-4" />} onClick={onWrite}>
            Edit text
          </Button>
        )}
      </div>
      {(block.tag === 'mj-button' || block.tag === 'mj-social-element') && (
        <Field label="Label">
          <Draft value={source.slice(block.contentFrom, block.contentTo).trim()} onChange={onContent} />
        </Field>
      )}
      {kind.settings.map((setting) => (
        <Property
          key={`${block.index} ${setting.name}`}
          setting={setting}
          block={block}
          inherited={inherited}
          swatches={swatches}
          onSet={onSet}
          onChooseImage={() => onChooseImage(setting.name)}
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

interface PropertyProps {
  setting: Setting
  block: Block
  inherited: Record<string, string>
  swatches: string[]
  onSet: InspectorProps['onSet']
  onChooseImage: () => void
}

const plain = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** One property beside its name, as most of them stand. */
function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-3">
      <span aria-hidden="true" className="text-sm font-medium text-ink">
        {label}
      </span>
      {children}
    </div>
  )
}

function Property(props: PropertyProps) {
  const { setting, block, inherited, swatches } = props
  const { label, kind, name } = setting
  const value = findAttribute(block, name) ?? ''
  const onSet = (text: string) => props.onSet({ [name]: text })
  const common = { label, value, inherited: inherited[name] ?? '', onSet }
  switch (kind) {
    case 'align':
      return (
        <Row label={label}>
          <AlignControl {...common} />
        </Row>
      )
    case 'size':
      return (
        <Row label={label}>
          <LengthControl {...common} {...(setting.units && { units: setting.units })} />
        </Row>
      )
    case 'padding':
      return <Padding {...props} />
    case 'corners':
      return (
        <FourControl
          label={label}
          kind="corners"
          max={60}
          value={parseFour(value || common.inherited || '0')}
          isOwn={value !== ''}
          onSet={(corners) => onSet(formatFour(corners))}
          onReset={() => onSet('')}
        />
      )
    case 'color':
      return <ColorControl {...common} swatches={swatches} />
    case 'font':
      return <FontControl label={label} value={plain(value)} onSet={onSet} />
    case 'image':
      return <ImageControl label={label} value={plain(value)} onSet={onSet} onChoose={props.onChooseImage} />
    default:
      return (
        <Field
          label={label}
          error={
            name === 'alt' && findAttribute(block, 'alt') === undefined
              ? 'Add alt text for people who can’t see the image.'
              : undefined
          }
        >
          <Draft
            value={plain(value)}
            {...(setting.placeholder && { placeholder: setting.placeholder })}
            {...(kind === 'address' && { inputMode: 'url' as const })}
            onChange={onSet}
          />
        </Field>
      )
  }
}

const SIDES = ['padding', 'padding-top', 'padding-right', 'padding-bottom', 'padding-left']

function Padding({ setting, block, inherited, onSet }: PropertyProps) {
  const own = Object.fromEntries(SIDES.map((name) => [name, findAttribute(block, name)]))
  const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return (
    <FourControl
      label={setting.label}
      kind="sides"
      max={200}
      value={readPadding({ ...inherited, ...known })}
      isOwn={Object.keys(known).length > 0}
      onSet={(sides) => onSet(writePadding(sides, inherited))}
      onReset={() => onSet(Object.fromEntries(SIDES.map((name) => [name, ''])))}
    />
  )
}

interface ChoiceProps {
  label: string
  value: string
  onSet: (value: string) => void
}

function ImageControl({ label, value, onSet, onChoose }: ChoiceProps & { onChoose: () => void }) {
  const { isDemo } = useEditorBackend()
  return (
    <Field label={label} hint={isDemo ? 'Sign up to upload images. Here you can enter the address of one.' : undefined}>
      <div className="space-y-2">
        {/^https?:\/\/./.test(value) && (
          <img src={value} alt="" className="max-h-28 w-full rounded-control border bg-sunken object-contain" />
        )}
        {!isDemo && (
          <Button size="sm" onClick={onChoose}>
            {value ? 'Replace image' : 'Choose image'}
          </Button>
        )}
        <Draft aria-label={`${label}: URL`} value={value} placeholder="https://" onChange={onSet} />
      </div>
    </Field>
  )
}

function FontControl({ label, value, onSet }: ChoiceProps) {
  const { isDemo } = useEditorBackend()
  const brand = useBrand(!isDemo).data
  const own = [...new Set([brand?.textFont ?? '', brand?.headingFont ?? ''])].filter((font) => font !== '')
  const known = [...own, ...FONTS.map((font) => font.value)]
  return (
    <Field label={label}>
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
