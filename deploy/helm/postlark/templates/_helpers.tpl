{{- define "postlark.name" -}}
{{- if contains "postlark" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-postlark" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "postlark.selector" -}}
app.kubernetes.io/name: postlark
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "postlark.labels" -}}
{{ include "postlark.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "postlark.secret" -}}
{{ .Values.existingSecret | default (include "postlark.name" .) }}
{{- end }}

{{- define "postlark.claim" -}}
{{ .Values.persistence.existingClaim | default (include "postlark.name" .) }}
{{- end }}

{{/* One pod of a role: (dict "root" $ "role" "web" "component" "web"). */}}
{{- define "postlark.pod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "postlark.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    # A changed secret starts new pods.
    checksum/secret: {{ include (print $root.Template.BasePath "/secret.yaml") $root | sha256sum }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # A stop finishes the messages being handed over, which takes 30 seconds at most.
  terminationGracePeriodSeconds: 45
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: postlark
      image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      env:
        - name: ROLE
          value: {{ .role | quote }}
        - name: PUBLIC_URL
          value: {{ required "publicUrl is required: the address people use" $root.Values.publicUrl | quote }}
        {{- range $name, $value := $root.Values.env }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      envFrom:
        - secretRef:
            name: {{ include "postlark.secret" $root }}
      ports:
        - name: http
          containerPort: 3000
      # Migrations of a large database may take minutes.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 5
        failureThreshold: 120
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 15
        timeoutSeconds: 6
        failureThreshold: 4
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 10
        timeoutSeconds: 6
      resources:
        {{- toYaml $root.Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
  {{- if not $root.Values.database.external }}
  volumes:
    - name: data
      persistentVolumeClaim:
        claimName: {{ include "postlark.claim" $root }}
  {{- else if eq .component "web" }}
  volumes:
    # Uploads on their way into the database, and temporary files.
    - name: data
      emptyDir: {}
  {{- end }}
  {{- with $root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
