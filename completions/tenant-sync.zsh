#compdef tenant-sync
# Completion of tenant-sync in zsh. To load it, add this line to ~/.zshrc, after compinit:
#   eval "$(tenant-sync completion zsh)"
_tenant_sync() {
  local -a lines found shown open openShown
  local line word meaning
  lines=("${(@f)$("${words[1]}" completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case ${lines[1]} in
    folders) _files -/ ;;
    files) _files ;;
    words)
      for line in "${(@)lines[2,-1]}"; do
        word=${line%%$'\t'*}
        meaning=$word
        [[ $line == *$'\t'* ]] && meaning="$word  -- ${line#*$'\t'}"
        if [[ $word == *[/=] ]]; then
          open+=("$word")
          openShown+=("$meaning")
        else
          found+=("$word")
          shown+=("$meaning")
        fi
      done
      (( $#found )) && compadd -l -d shown -a found
      (( $#open )) && compadd -l -S '' -d openShown -a open
      (( $#found + $#open ))
      ;;
  esac
}
if [[ ${funcstack[1]} == _tenant_sync ]]; then
  _tenant_sync "$@"
else
  compdef _tenant_sync tenant-sync
fi
