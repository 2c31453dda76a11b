import type { PageTexts } from './texts.ts'

export const es: PageTexts = {
  title: 'Tus preferencias de correo',
  intro: 'Elige qué envía {sender} a {address}.',
  saved: 'Tus cambios se han guardado.',
  unsubscribed:
    'Te has dado de baja. {sender} no volverá a escribirte. Un mensaje que ya esté en camino aún puede llegar.',
  linkSent: 'Hemos enviado un enlace a {address}. Es válido durante 24 horas.',
  tooMany: 'Esta página se ha usado muchas veces en la última hora. Inténtalo más tarde. No se ha cambiado nada.',
  noEmail:
    'El remitente no tiene ninguna dirección de correo tuya, así que no se puede enviar un enlace. Contacta directamente con él.',
  blocked: 'Tu dirección está bloqueada y no se le envían correos. Para volver a recibirlos, contacta con {sender}.',
  moved:
    'Este correo se envió a {address}. {sender} tiene ahora otra dirección suya, por lo que sus preferencias solo se pueden cambiar con el enlace de un correo enviado a esa otra dirección. Aquí aún puede darse de baja.',
  removed:
    '{sender} te ha quitado de sus contactos, así que no hay preferencias que cambiar. Durante un máximo de 24 horas puede restaurar tus datos. Para que se borren definitivamente, pide un enlace: lo enviamos a {address}.',
  emailsOff: 'No recibes correos de {sender}. Marca Correo electrónico y guarda para volver a elegir listas.',
  lists: '¿Qué te gustaría recibir?',
  noLists: 'No hay listas para elegir.',
  channels: '¿Cómo podemos contactarte?',
  email: 'Correo electrónico',
  frequency: '¿Con qué frecuencia?',
  all: 'Todos los correos',
  weekly: 'Como máximo un correo por semana',
  pause: 'Ningún correo durante 30 días',
  paused: 'Ningún correo hasta el {date}',
  save: 'Guardar cambios',
  unsubscribeAll: 'Darme de baja de todo',
  unsubscribeHint: {
    email: 'Detiene de inmediato todos los correos de {sender}.',
    whatsapp: 'Detiene de inmediato todos los mensajes de WhatsApp de {sender}.',
    both: 'Detiene de inmediato todos los correos y mensajes de WhatsApp de {sender}.',
  },
  why: '¿Por qué he recibido este correo?',
  sentOn: 'El correo «{subject}» se envió a {address} el {date}.',
  sources: {
    import: '{sender} te añadió desde un archivo de contactos el {date}.',
    form: 'Te suscribiste con un formulario el {date}.',
    collected: '{sender} encontró tu dirección en una página web pública y te añadió el {date}.',
    other: '{sender} te añadió el {date}.',
  },
  confirmed: 'Aceptaste recibir {list} el {date}.',
  agreed: '{sender} declara que ya habías aceptado {list}: «{evidence}»',
  found: 'Tu dirección se encontró en {url} el {date}.',
  bases: {
    consent: 'Base legal: tu consentimiento.',
    customer: 'Base legal: eres cliente.',
    legitimate_interest: 'Base legal: interés legítimo.',
  },
  noEvidence: 'Aquí no hay ninguna prueba de tu consentimiento. Pídesela a {sender}.',
  postalAddress: 'Dirección postal del remitente',
  noPostalAddress: 'El remitente no ha indicado una dirección postal.',
  data: 'Tus datos',
  dataHint: 'Para proteger tus datos, enviamos un enlace a la dirección que {sender} tiene de ti.',
  askData: 'Descargar mis datos',
  askErasure: 'Borrar mis datos',
  download: {
    title: 'Descargar tus datos',
    text: 'El archivo contiene todo lo que {sender} ha guardado aquí sobre ti.',
    button: 'Descargar archivo',
    subject: 'Tus datos en {sender}',
    body: 'Has pedido los datos que {sender} ha guardado sobre ti. Descárgalos aquí:\n\n{link}\n\nEl enlace es válido durante 24 horas. Si no lo has pedido, ignora este correo.',
  },
  erase: {
    title: '¿Borrar tus datos?',
    text: '{sender} borrará todo lo que hay guardado aquí sobre ti y no volverá a escribirte. No se puede deshacer.',
    button: 'Borrar mis datos',
    subject: 'Confirma que {sender} borre tus datos',
    body: 'Has pedido a {sender} que borre todo lo que hay guardado sobre ti. Confírmalo aquí:\n\n{link}\n\nEl enlace es válido durante 24 horas. Sin él no se borra nada. Si no lo has pedido, ignora este correo.',
    done: 'Tus datos se han borrado',
    doneText:
      'No recibirás más correos de {sender}. Solo queda un código ilegible de tu dirección, para que no se te vuelva a añadir por error.',
  },
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Los enlaces son válidos durante 24 horas. Pide uno nuevo en la página de tus preferencias.',
  },
  gone: {
    title: 'Ya no hay nada que gestionar',
    text: 'El remitente ha eliminado tus datos, así que no hay preferencias que cambiar. No recibirás más correos, a menos que vuelvas a suscribirte.',
  },
  test: {
    title: 'Era una prueba',
    text: 'El mensaje era una prueba. En uno real, esta página muestra lo que puede elegir el destinatario.',
  },
  leave: {
    title: 'Darse de baja',
    text: 'Correos de {sender} a {address}. Todavía no se ha cambiado nada.',
    choice: '¿Qué quieres dejar de recibir?',
    all: 'Todos los correos de {sender}',
    list: 'Solo la lista de correo de este mensaje',
    button: 'Darme de baja',
    done: 'Te has dado de baja',
    doneAll: '{sender} no enviará más correos a {address}.',
    doneList: '{address} ya no está en la lista de correo de ese mensaje. Aún pueden llegar otros correos de {sender}.',
    atOnce: 'Tiene efecto inmediato. Un mensaje que ya esté en camino aún puede llegar.',
    again:
      '¿Has cambiado de opinión? Solo tú puedes deshacerlo: vuelve a suscribirte con el remitente o contacta con él.',
    preferences: 'Gestionar preferencias',
    gone: {
      title: 'No recibirás más correos',
      text: 'El remitente de ese mensaje ha cerrado su cuenta y todos sus contactos se han eliminado. No recibirás más correos suyos.',
    },
    test: {
      title: 'Era una prueba',
      text: 'El mensaje era una prueba, así que no hay nada de lo que darse de baja. En uno real, esta página pregunta qué quieres dejar de recibir.',
    },
  },
  confirm: {
    title: 'Confirma tu suscripción',
    text: 'Recibirás {lists} en cuanto confirmes. Puedes darte de baja en cualquier momento.',
    button: 'Confirmar suscripción',
    decline: 'Yo no he pedido esto',
    done: {
      title: 'Te has suscrito',
      text: 'Gracias. Recibirás {lists} por correo.',
    },
    declined: {
      title: 'No volveremos a preguntarte',
      text: 'Gracias por avisarnos. Tu dirección no se ha suscrito a nada.',
    },
    left: {
      title: 'Te has dado de baja',
      text: 'Te diste de baja después de que se enviara este enlace, así que ya no funciona. Para volver a recibir {lists}, suscríbete de nuevo donde lo encontraste.',
    },
    expired: {
      title: 'Este enlace ha caducado',
      text: 'Los enlaces son válidos durante {days} días y nadie usó este. No te has suscrito. Para suscribirte, vuelve a rellenar el formulario donde lo encontraste.',
    },
    again: {
      text: 'No te has suscrito a {lists}. Si todavía quieres recibirlo, podemos enviarte un nuevo enlace por correo.',
      button: 'Enviar un nuevo enlace',
    },
    sent: {
      title: 'Revisa tu bandeja de entrada',
      text: 'Te hemos enviado un nuevo enlace por correo. Es válido durante {days} días.',
    },
    full: {
      title: 'Las suscripciones están cerradas',
      text: 'No se ha cambiado nada. Inténtalo de nuevo dentro de unos días.',
    },
  },
}
