#compdef tenant-sync
# Completion of tenant-sync in zsh. To load it, add this line to ~/.zshrc, after compinit:
#   eval "$(tenant-sync completion zsh)"
_tenant_sync() {
  local -a found
  found=(${(f)"$("${words[1]}" completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ ${funcstack[1]} == _tenant_sync ]]; then
  _tenant_sync "$@"
else
  compdef _tenant_sync tenant-sync
fi
