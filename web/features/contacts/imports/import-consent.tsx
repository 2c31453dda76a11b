import { ConsentFields, type TypedConsent } from '#web/features/consents/index.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'

interface ImportConsentProps {
  /** null: nobody says they agreed, which is how it begins. */
  typed: TypedConsent | null
  errors: React.ComponentProps<typeof ConsentFields>['errors']
  onTick: (agreed: boolean) => void
  onChange: (change: Partial<TypedConsent>) => void
}

/** Whether everybody in the file agreed to WhatsApp messages, and what shows it. Never said beforehand. */
export function ImportConsent({ typed, errors, onTick, onChange }: ImportConsentProps) {
  return (
    <fieldset className="rounded-card border bg-surface p-4">
      <legend className="sr-only">WhatsApp consent</legend>
      <Checkbox
        label="Everyone in this file gave consent for WhatsApp messages"
        hint="Only check this if you can prove it. Without it, contacts are imported, but WhatsApp campaigns skip them. You can also record consent later."
        checked={typed !== null}
        onChange={(event) => onTick(event.target.checked)}
      />
      {typed && (
        <div className="mt-4 border-t pt-4">
          <ConsentFields typed={typed} errors={errors} onChange={onChange} />
          <p className="mt-3 text-sm text-muted">
            Consent is recorded once per number, with your name and today’s date, and can’t be changed. People who opted
            out stay opted out.
          </p>
        </div>
      )}
    </fieldset>
  )
}
